import { z } from 'zod';
import type { ControlState } from '../control-state/state';
import type { TaskGraph } from '../planning/state';
import type { RiskLevel } from '../shared/levels';
import type { GateResult } from './action-gate';

const approvalFromSchema = z.enum(['never', 'HIGH', 'MEDIUM', 'LOW']);
const rank: Record<RiskLevel, number> = { LOW: 0, MEDIUM: 1, HIGH: 2 };

/** The approval policy that risk feeds (D10): only a concrete change is put to a person, never a task as such. */
export const needsApproval = (kind: 'task' | 'tool', risk: RiskLevel, from: z.output<typeof approvalFromSchema>): boolean =>
  kind === 'tool' && from !== 'never' && rank[risk] >= rank[from];

/** No layer has resolved a control state in this run: every resolve takes the generation of the world model, which begins at 1. */
export const neverResolved = (control: Pick<ControlState, 'generation_id'>): boolean => control.generation_id === 0;

export interface GateEntry {
  task_id: string;
  result: GateResult;
}

/** The gate's last word per open task, this one last; what finished needs no gate any more, and the trace keeps every decision (INV-15). */
export function recordGate(gates: readonly GateEntry[], entry: GateEntry, graph: TaskGraph): GateEntry[] {
  const finished = new Set(graph.tasks.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id));
  return [...gates.filter(({ task_id }) => task_id !== entry.task_id && !finished.has(task_id)), entry];
}
