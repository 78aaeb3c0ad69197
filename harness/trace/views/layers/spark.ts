/** One value of a line over the run; it holds until the next one. */
export interface SparkPoint {
  seq: number;
  value: number;
}

export interface SparkBox {
  /** Seq at the left and at the right edge. */
  from: number;
  to: number;
  width: number;
  height: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Horizontal place of a seq in the box. */
export const sparkX = (seq: number, { from, to, width }: SparkBox): number => round(((seq - from) / Math.max(1, to - from)) * width);

/** Vertical place of a value from 0 to 1, with two units of air at either edge. */
export const sparkY = (value: number, { height }: SparkBox): number => round(height - 2 - value * (height - 4));

/**
 * An SVG path of steps: a value holds until the next one. At most four points for each unit of width are drawn: of the values that fall
 * into one column the first, the lowest, the highest and the last, so a dip of one visit stays visible in a run of any length.
 */
export function stepPath(points: readonly SparkPoint[], box: SparkBox): string {
  let path = '';
  let last: number | null = null;
  const put = (x: number, value: number): void => {
    const y = sparkY(value, box);
    path += last === null ? `M${x},${y}` : y === last ? '' : `H${x}V${y}`;
    last = y;
  };
  for (let i = 0; i < points.length; ) {
    const first = points[i];
    if (first === undefined) break;
    const column = Math.floor(sparkX(first.seq, box));
    let end = i;
    let low = first;
    let high = first;
    let final = first;
    for (let next = points[end]; next !== undefined && Math.floor(sparkX(next.seq, box)) === column; end += 1, next = points[end]) {
      if (next.value < low.value) low = next;
      if (next.value > high.value) high = next;
      final = next;
    }
    const shown = end - i <= 4 ? points.slice(i, end) : [first, low, high, final].sort((a, b) => a.seq - b.seq);
    for (const point of shown) put(sparkX(point.seq, box), point.value);
    i = end;
  }
  return path === '' ? '' : `${path}H${box.width}`;
}
