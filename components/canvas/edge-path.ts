import { getBezierPath, getSmoothStepPath, Position } from '@xyflow/react';

export interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
  sourcePosition: Position;
  targetPosition: Position;
}

export interface EdgePath {
  path: string;
  labelX: number;
  labelY: number;
}

const radius = 10;

/**
 * A loop edge goes out, up over the nodes between, and back down: an arch, so that going back never looks like going on. `clear` is how far above the
 * higher end it passes.
 */
export function loopPath({ sourceX, sourceY, targetX, targetY }: Ends, clear = 72): EdgePath {
  const out = sourceX + 22;
  const back = targetX - 22;
  const top = Math.min(sourceY, targetY) - clear;
  const path = [
    `M ${sourceX} ${sourceY}`,
    `C ${out + 22} ${sourceY}, ${out + 22} ${top}, ${out - 22} ${top}`,
    `L ${back + 22} ${top}`,
    `C ${back - 22} ${top}, ${back - 22} ${targetY}, ${targetX} ${targetY}`,
  ].join(' ');
  return { path, labelX: (out + back) / 2, labelY: top };
}

export function flowPath(ends: Ends): EdgePath {
  const [path, labelX, labelY] = getSmoothStepPath({ ...ends, borderRadius: radius, offset: 18 });
  return { path, labelX, labelY };
}

export function attachPath(ends: Ends): EdgePath {
  const [path, labelX, labelY] = getBezierPath(ends);
  return { path, labelX, labelY };
}

/** Loops arch over unless they lead forwards on the drawing, where an arch would only confuse. */
export const edgePath = (ends: Ends, loop: boolean): EdgePath =>
  loop && ends.targetX < ends.sourceX + 40 && ends.sourcePosition === Position.Right ? loopPath(ends) : flowPath(ends);
