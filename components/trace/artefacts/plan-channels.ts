import type { TraceIndex } from '@/harness/trace/views/trace-index';

/** The artefacts of the planning pipeline, as the Plan view reads them. */
const documents = [
  'planTask',
  'phase1Summary',
  'scopeDocument',
  'observations',
  'scratchpad',
  'journal',
  'fileSummary',
  'designAndRisks',
  'executionPlan',
  'commandSet',
  'stepResults',
  'validationResults',
  'validationAttempts',
  'createdRegressionFiles',
  'approvalState',
  'tddState',
  'planWarnings',
] as const;
export type PlanChannel = (typeof documents)[number] | 'workspaceMemories';

const artefacts: ReadonlySet<string> = new Set(documents);
export const planChannels: ReadonlySet<string> = new Set<PlanChannel>([...documents, 'workspaceMemories']);

/** Whether a planning node has written anything. Memories alone do not count: other flows may keep them too. */
export const hasPlan = (index: Pick<TraceIndex, 'patches'>): boolean => index.patches.some(({ channel }) => artefacts.has(channel));
