import type { z } from 'zod';
import type { Json } from '@/harness/contract/json';
import type { ApprovalState } from '@/harness/planning/approval/state';
import type { DesignAndRisks } from '@/harness/planning/artefacts/design';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import type { FileSummary } from '@/harness/planning/artefacts/file-summary';
import type { Phase1Summary } from '@/harness/planning/artefacts/phase1-summary';
import type { CommandSet, ValidationResults } from '@/harness/planning/artefacts/results';
import type { ScopeDocument } from '@/harness/planning/artefacts/scope-document';
import type { MemoryRow } from '@/harness/planning/memory/row';
import type { ValidationAttempt } from '@/harness/planning/post-validation/attempts';
import {
  type JournalEntry,
  type ObservationRow,
  type PlanTask,
  planningChannels,
  type SessionWork,
  type StepResultRow,
  type TddProgress,
} from '../channels';

/** The channels of the pipeline by name. */
export interface PlanningChannels {
  planTask: PlanTask;
  sessionWork: SessionWork;
  phase1Summary: Phase1Summary | null;
  scopeDocument: ScopeDocument | null;
  observations: ObservationRow[];
  scratchpad: string;
  journal: JournalEntry[];
  fileSummary: FileSummary | null;
  designAndRisks: DesignAndRisks | null;
  executionPlan: ExecutionPlan | null;
  commandSet: CommandSet;
  stepResults: StepResultRow[];
  validationResults: ValidationResults | null;
  validationAttempts: ValidationAttempt[];
  createdRegressionFiles: string[];
  modifiedFiles: string[];
  approvalState: ApprovalState;
  tddState: TddProgress;
  planWarnings: string[];
  workspaceMemories: MemoryRow[];
}
export type PlanningChannelId = keyof PlanningChannels;

const initials: Record<string, Json> = Object.fromEntries(planningChannels.map(({ id, initial }) => [id, initial]));

/** Channel values of a visit, typed. A channel that nothing has written has its initial value. */
export function planningState(context: { readonly state: Readonly<Record<string, Json>> }): PlanningChannels {
  // the engine checks every write against the channel's schema, and the schemas are what PlanningChannels names
  return { ...initials, ...context.state } as unknown as PlanningChannels;
}

/** What a planning node writes. Lists that append or upsert take only what is new, `sessionWork` only the keys that change. */
export type PlanningWrites = { [K in Exclude<PlanningChannelId, 'sessionWork'>]?: PlanningChannels[K] | undefined } & {
  sessionWork?: Partial<SessionWork> | undefined;
};

/** Channel writes by name; a key that is `undefined` is left out. */
export function planningWrites(writes: PlanningWrites): Record<string, Json> {
  // every channel's value is plain JSON by its schema, which the engine checks once more
  return Object.fromEntries(Object.entries(writes).filter(([, value]) => value !== undefined)) as Record<string, Json>;
}

/** Channel values for a test or a fresh run: what is given goes through the channel's schema, which fills its defaults. */
export function planningValues(given: { [K in PlanningChannelId]?: unknown }): Record<string, Json> {
  const schemas = new Map<string, z.ZodType>(planningChannels.map(({ id, schema }) => [id, schema]));
  return Object.fromEntries(
    // a channel's schema describes plain JSON
    Object.entries(given).map(([id, value]) => [id, (schemas.get(id)?.parse(value) ?? null) as Json]),
  );
}
