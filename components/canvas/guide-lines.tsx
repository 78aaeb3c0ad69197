'use client';

import { ViewportPortal } from '@xyflow/react';
import { useCanvasUi } from './canvas-ui';

const reach = 20_000;

/** The lines a dragged card catches on. */
export function Guides() {
  const { x, y } = useCanvasUi((state) => state.guides);
  if (x === null && y === null) return null;
  return (
    <ViewportPortal>
      {x === null ? null : (
        <div
          aria-hidden
          className="pointer-events-none absolute w-px bg-accent"
          style={{ left: x, top: -reach, height: 2 * reach, opacity: 0.7 }}
        />
      )}
      {y === null ? null : (
        <div
          aria-hidden
          className="pointer-events-none absolute h-px bg-accent"
          style={{ top: y, left: -reach, width: 2 * reach, opacity: 0.7 }}
        />
      )}
    </ViewportPortal>
  );
}
