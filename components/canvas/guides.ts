/** A rectangle in flow coordinates. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Snap {
  /** Where the dragged box should be. */
  x: number;
  y: number;
  /** The lines it caught on, to be drawn; null where it caught on none. */
  guideX: number | null;
  guideY: number | null;
}

const near = (edges: readonly number[], others: readonly number[], within: number): { shift: number; line: number } | null => {
  let best: { shift: number; line: number } | null = null;
  for (const edge of edges) {
    for (const other of others) {
      const shift = other - edge;
      if (Math.abs(shift) <= within && (!best || Math.abs(shift) < Math.abs(best.shift))) best = { shift, line: other };
    }
  }
  return best;
};

const across = (rect: Rect): number[] => [rect.x, rect.x + rect.width / 2, rect.x + rect.width];
const down = (rect: Rect): number[] => [rect.y, rect.y + rect.height / 2, rect.y + rect.height];

/** Catches a dragged box on the edges and middles of its neighbours, when one is within `within`. */
export function snapToNeighbours(box: Rect, neighbours: readonly Rect[], within: number): Snap {
  const x = near(across(box), neighbours.flatMap(across), within);
  const y = near(down(box), neighbours.flatMap(down), within);
  return { x: box.x + (x?.shift ?? 0), y: box.y + (y?.shift ?? 0), guideX: x?.line ?? null, guideY: y?.line ?? null };
}
