import { z } from 'zod';

/** Reliability of evidence, ranked HIGH 2, MEDIUM 1, LOW 0 (layers.md R2). */
export const reliabilitySchema = z.enum(['HIGH', 'MEDIUM', 'LOW']);
export type ReliabilityLevel = z.output<typeof reliabilitySchema>;

export const riskLevelSchema = z.enum(['LOW', 'MEDIUM', 'HIGH']);
export type RiskLevel = z.output<typeof riskLevelSchema>;

const reliabilityRank: Record<ReliabilityLevel, number> = { HIGH: 2, MEDIUM: 1, LOW: 0 };

/** The lower of a reliability and a ceiling. */
export const capReliability = (value: ReliabilityLevel, ceiling: ReliabilityLevel): ReliabilityLevel =>
  reliabilityRank[value] <= reliabilityRank[ceiling] ? value : ceiling;
