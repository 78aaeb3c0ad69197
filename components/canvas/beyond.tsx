'use client';

import { type ReactFlowState, useStore } from '@xyflow/react';
import { useEffect } from 'react';

type Lookup = ReactFlowState['nodeLookup'];
interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Follows the drawing's extent; worked out anew only when cards come, go or move. */
function createExtent(): (nodes: ReactFlowState['nodes'], lookup: Lookup) => Bounds {
  let known: ReactFlowState['nodes'] | null = null;
  let bounds: Bounds = { left: 0, top: 0, right: 0, bottom: 0 };
  return (nodes, lookup) => {
    if (nodes === known) return bounds;
    known = nodes;
    bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const node of lookup.values()) {
      if (node.hidden) continue;
      const { x, y } = node.internals.positionAbsolute;
      bounds.left = Math.min(bounds.left, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.right = Math.max(bounds.right, x + (node.measured.width ?? 0));
      bounds.bottom = Math.max(bounds.bottom, y + (node.measured.height ?? 0));
    }
    return bounds;
  };
}

const extentOf = createExtent();

const isBeyond = ({ nodes, nodeLookup, transform: [x, y, zoom], width, height }: ReactFlowState): boolean => {
  if (nodes.length === 0 || width === 0) return false;
  const { left, top, right, bottom } = extentOf(nodes, nodeLookup);
  return left * zoom + x < 0 || top * zoom + y < 0 || right * zoom + x > width || bottom * zoom + y > height;
};

/** Says whether part of the flow lies out of view: only then is a map worth the room it takes from the drawing. */
export function Beyond({ onChange }: { onChange: (beyond: boolean) => void }) {
  const beyond = useStore(isBeyond);
  useEffect(() => onChange(beyond), [beyond, onChange]);
  return null;
}
