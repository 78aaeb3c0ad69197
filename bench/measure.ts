/** Medians of repeated runs: a machine that is shared makes single figures worthless. */

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Microseconds of one run of `work`, which is called `rounds` times after a warm-up. */
export async function timeOf(work: () => Promise<void> | void, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = -Math.ceil(rounds / 4); round < rounds; round += 1) {
    const began = process.hrtime.bigint();
    await work();
    if (round >= 0) times.push(Number(process.hrtime.bigint() - began) / 1000);
  }
  return times;
}

export const rounded = (value: number): number => Math.round(value * 100) / 100;
