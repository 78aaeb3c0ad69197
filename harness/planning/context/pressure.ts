import { z } from 'zod';

export const pressureConfigSchema = z.object({
  refreshThreshold: z.number().min(0).max(1).default(0.7).meta({ title: 'Share of the window at which the context is rebuilt' }),
  warningTokens: z.int().min(0).default(256).meta({ title: 'Least width of the warning zone before it, tokens' }),
  warningShare: z.number().min(0).max(1).default(0.03).meta({ title: 'Width of the warning zone, share of the window' }),
});
export type PressureConfig = z.output<typeof pressureConfigSchema>;
export const defaultPressureConfig: PressureConfig = pressureConfigSchema.parse({});

export type Pressure = 'unknown' | 'none' | 'warning' | 'refresh';

/** Tokens from which the context is rebuilt. */
export const refreshLimit = (window: number, config: PressureConfig = defaultPressureConfig): number => window * config.refreshThreshold;

/** Tokens from which the model is warned of the rebuild. */
export const warningLimit = (window: number, config: PressureConfig = defaultPressureConfig): number =>
  Math.max(0, refreshLimit(window, config) - Math.max(config.warningTokens, window * config.warningShare));

/** How full a window is (planning.md §12). With unknown usage or window nothing is claimed. */
export function pressureOf(tokens: number | null, window: number | null, config: PressureConfig = defaultPressureConfig): Pressure {
  if (tokens === null || window === null || window <= 0) return 'unknown';
  if (tokens >= refreshLimit(window, config)) return 'refresh';
  return tokens >= warningLimit(window, config) ? 'warning' : 'none';
}
