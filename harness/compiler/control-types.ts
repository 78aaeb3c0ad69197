import type { GraphNode } from '../flow/flow-graph';

/* What the rules know of control layers: type ids and channels as data, since the compiler reads no node types but from the catalogue. */

/** Node types that rules speak of by name. */
export const controlTypes = {
  act: 'act',
  gate: 'action-gate',
  evidence: 'evidence',
  worldModel: 'world-model',
  planning: 'planning',
  merge: 'merge-branches',
} as const;

/** Types that only put down first values of channels, or carry on what others wrote. */
export const carriers: ReadonlySet<string> = new Set(['initialize-run', 'merge-branches']);

/**
 * The types that fill a channel with what it is for. Others change it or carry it on: a world model in which only contradictions lower
 * confidences holds no beliefs.
 */
export const origins: Readonly<Record<string, readonly string[]>> = {
  goal: ['initialize-run', 'adaptive-control'],
  worldModel: ['world-model'],
  callerState: ['initialize-run', 'adaptive-control', 'caller-updates'],
  controlState: ['control-state'],
  diagnostics: ['diagnostics'],
  taskGraph: ['initialize-run', 'adaptive-control', 'caller-updates'],
  evidenceStore: ['evidence'],
  hypothesisSet: ['hypothesis'],
  currentTask: ['planning'],
  toolResults: ['act'],
  taskResults: ['act'],
  verification: ['verification'],
};

/** The invariant of layers.md R13 that a channel for one writer stands for. */
export const writerInvariants: Readonly<Record<string, string>> = { controlState: 'INV-06' };

/** A node of this type that takes part and is not switched off. */
export const isOn = (entry: GraphNode | undefined, type: string): boolean =>
  entry !== undefined && entry.node.type === type && entry.node.disabled !== true && entry.manifest !== null;
