'use client';

import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import { catalogue } from '@/nodes/catalog';
import { useEditor } from '../editor/store-context';
import { type DataEdge, dataEdges } from './data-lens';
import { rectOf } from './places';

/** Draws who reads whose outputs and channels, over the flow and only on demand: data has no wires of its own (design §4). */
export function LensLayer() {
  const lens = useEditor((state) => state.lens);
  return lens === 'off' ? null : <Lens selectedOnly={lens === 'selection'} />;
}

function Lens({ selectedOnly }: { selectedOnly: boolean }) {
  const document = useEditor((state) => state.document);
  const selection = useEditor((state) => state.selection.nodes);
  const picked = selectedOnly || selection.length > 0;
  const edges = useMemo(() => dataEdges(document, catalogue, picked ? new Set(selection) : undefined), [document, picked, selection]);
  const line = (edge: DataEdge): { path: string; x: number; y: number } => {
    const from = rectOf(document, edge.from);
    const to = rectOf(document, edge.to);
    const forward = to.x >= from.x;
    const start = { x: from.x + from.width * 0.5, y: from.y + (forward ? 0 : from.height) };
    const end = { x: to.x + to.width * 0.5, y: to.y + (forward ? 0 : to.height) };
    const bend = forward ? -Math.min(120, 40 + Math.abs(end.x - start.x) * 0.12) : Math.min(120, 60 + Math.abs(end.x - start.x) * 0.1);
    const path = `M ${start.x} ${start.y} C ${start.x} ${start.y + bend}, ${end.x} ${end.y + bend}, ${end.x} ${end.y}`;
    return { path, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 + bend * 0.75 };
  };
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        role="presentation"
        className="pointer-events-none absolute top-0 left-0 overflow-visible"
        width={1}
        height={1}
        style={{ zIndex: 5 }}
      >
        {edges.map((edge) => {
          const { path, x, y } = line(edge);
          return (
            <g key={`${edge.kind}:${edge.from}:${edge.to}`}>
              <path d={path} className="lens-edge" />
              <text x={x} y={y} textAnchor="middle" className="edge-label">
                {edge.kind === 'channel' ? `state.${edge.labels[0]}` : edge.labels.join(', ')}
              </text>
            </g>
          );
        })}
      </svg>
    </ViewportPortal>
  );
}
