import { type DimensionName, diagnosticsSchema, dimensionNames, healthOf, invertedDimensions } from '../../../layers/diagnostics/state';
import { dimensionTitle } from '../../../layers/diagnostics/titles';
import { plainNumber } from '../decision-words';
import type { Moment } from '../spans';
import type { LayerPoint } from './history';

/** The ten dimensions as health at one moment: 1 is well, 0 is worst, also for those that are stored the other way round. */
export interface GaugePoint extends Moment {
  visit: string | undefined;
  health: Readonly<Record<DimensionName, number>>;
}

export interface GaugeFacts {
  name: DimensionName;
  title: string;
  /** Stored with 0 as healthy; shown turned round. */
  inverted: boolean;
}

export const gaugeList: readonly GaugeFacts[] = dimensionNames.map((name) => ({
  name,
  title: dimensionTitle(name),
  inverted: invertedDimensions.includes(name),
}));

/** Where control state draws its lines, 0 to 1. */
export interface Thresholds {
  critical: number;
  caution: number;
}

/** The health at every point at which the channel held one; a value that is none is left out. */
export function gaugePoints(points: readonly LayerPoint[]): GaugePoint[] {
  const found: GaugePoint[] = [];
  for (const { seq, at, visit, value } of points) {
    const read = diagnosticsSchema.safeParse(value);
    if (read.success) found.push({ seq, at, visit, health: healthOf(read.data) });
  }
  return found;
}

export type Band = 'critical' | 'caution' | 'well';

/** A value at a threshold is on the better side of it, as the resolver compares (layers.md R6). */
export const bandOf = (value: number, { critical, caution }: Thresholds): Band =>
  value < critical ? 'critical' : value < caution ? 'caution' : 'well';

/** How far a value is from the next outcome on either side, in words. */
export function gaugeWords(value: number, thresholds: Thresholds): string {
  const band = bandOf(value, thresholds);
  const to = (line: number): string => plainNumber(Math.abs(value - line));
  const { critical, caution } = thresholds;
  if (band === 'critical') return `${to(critical)} below critical ${plainNumber(critical)}: blocks`;
  if (band === 'caution')
    return `${to(caution)} below caution ${plainNumber(caution)}, ${to(critical)} clear of critical ${plainNumber(critical)}`;
  if (value === caution) return `exactly at caution ${plainNumber(caution)}`;
  return `${to(caution)} above caution ${plainNumber(caution)}`;
}
