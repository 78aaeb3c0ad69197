import type { Clock } from '@/harness/engine/host';

/** Longest time one timer can hold; longer waits are set again. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, callback) {
    let timer: NodeJS.Timeout;
    const set = (): void => {
      const left = at - Date.now();
      timer = setTimeout(() => (left > longestTimer ? set() : callback()), Math.min(Math.max(left, 0), longestTimer));
      timer.unref();
    };
    set();
    return () => clearTimeout(timer);
  },
};
