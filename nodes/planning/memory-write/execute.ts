import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { addByPerson, type CurationAct, curate, takeIn } from '@/harness/planning/memory/curate';
import { expiryOf } from '@/harness/planning/memory/retention';
import { type MemoryCandidate, type MemoryRow, memoryConfigSchema } from '@/harness/planning/memory/row';
import { planningState, planningWrites } from '../support/state';
import { tellSuggestion } from '../support/take-in';
import { memoryWriteNode } from './node';

type Context = ExecuteContext<ConfigOf<typeof memoryWriteNode>>;
type Outcome = 'added' | 'seen' | 'promoted' | 'refused' | 'confirmed' | 'rejected' | 'archived' | 'unknown' | 'nothing';
interface Kept {
  outcome: Outcome;
  row: MemoryRow | null;
}

export const executeMemoryWrite = implementNode(memoryWriteNode, async (context) => {
  const { act } = context.config;
  const { outcome, row } = act === 'suggest' || act === 'add' ? await keep(context, act) : judge(context, act);
  return {
    output: { outcome, memory: row === null ? null : { ...row } },
    writes: planningWrites({ workspaceMemories: row === null || outcome === 'unknown' ? undefined : [row] }),
  };
});

async function keep(context: Context, act: 'suggest' | 'add'): Promise<Kept> {
  const { config } = context;
  const rows = planningState(context).workspaceMemories;
  const content = context.text(config.content).trim();
  if (content === '') return told(context, { outcome: 'nothing', row: null });
  const candidate: MemoryCandidate = {
    id: `${context.run.id}-${context.visit.id}`,
    content,
    category: config.category,
    tags: config.tags,
    source_phase: context.node.label,
    confidence: 0.5,
    expires_at: expiryOf(await context.now(), config),
  };
  const rules = memoryConfigSchema.parse({ ...config });
  if (act === 'suggest') {
    const taken = takeIn(rows, candidate, rules);
    context.decide(taken.decision);
    if (taken.outcome === 'added' && taken.row !== null) tellSuggestion(context, taken.row);
    return { outcome: taken.outcome, row: taken.row };
  }
  const known = new Map(rows.map((row) => [row.id, row]));
  const row = addByPerson(rows, candidate, rules).find((each) => known.get(each.id) !== each) ?? null;
  return told(context, { outcome: 'confirmed', row });
}

function judge(context: Context, act: CurationAct): Kept {
  const id = context.text(context.config.memoryId).trim();
  const rows = planningState(context).workspaceMemories.filter((row) => row.id === id);
  const [row] = curate(rows, id, act, memoryConfigSchema.parse({ ...context.config }));
  const done = { confirm: 'confirmed', reject: 'rejected', archive: 'archived' } as const;
  return told(context, row === undefined ? { outcome: 'unknown', row: null } : { outcome: done[act], row });
}

function told(context: Context, kept: Kept): Kept {
  context.decide({
    rule: 'memory: curation',
    outcome: kept.outcome,
    because: [
      { name: 'act', value: context.config.act },
      { name: 'memory', value: kept.row?.id ?? null },
    ],
  });
  return kept;
}
