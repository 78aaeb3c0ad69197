/** Every setting of the relay, with its default. Times are in milliseconds. */
export interface Config {
  port: number;
  dataFolder: string;
  maxAttempts: number;
  firstDelayMs: number;
  delayFactor: number;
  maxDelayMs: number;
  deliveryTimeoutMs: number;
  drainMs: number;
}

const number = (name: string, fallback: number): number => {
  const value = Number(process.env[name]);
  return Number.isFinite(value) && value > 0 ? value : fallback;
};

export const config: Config = {
  port: number('RELAY_PORT', 8400),
  dataFolder: process.env.RELAY_DATA ?? 'data',
  // Attempts in all, the first one included. Five was not enough for a two-hour outage.
  maxAttempts: number('RELAY_MAX_ATTEMPTS', 6),
  firstDelayMs: number('RELAY_FIRST_DELAY_MS', 10_000),
  delayFactor: number('RELAY_DELAY_FACTOR', 3),
  maxDelayMs: number('RELAY_MAX_DELAY_MS', 3_600_000),
  deliveryTimeoutMs: number('RELAY_DELIVERY_TIMEOUT_MS', 15_000),
  drainMs: number('RELAY_DRAIN_MS', 20_000),
};
