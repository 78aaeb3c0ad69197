import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import type { CallScope } from '@/harness/contract/tool';
import { uniquePaths } from '@/harness/planning/artefacts/paths';
import { writeTools } from '@/harness/planning/artefacts/plan-step';
import type { CommandSet, ValidationResults } from '@/harness/planning/artefacts/results';
import { type NextAttempt, repairable } from '@/harness/planning/post-validation/attempts';
import { memoryQuery } from '@/harness/planning/post-validation/failures';
import { postValidationConfigSchema } from '@/harness/planning/post-validation/plan';
import { fixPrompt } from '@/harness/planning/post-validation/prompt';
import { windowOf } from '../support/config';
import type { LoopCall } from '../support/loop-calls';
import { recall } from '../support/memories';
import { retrievalFor } from '../support/memory-fields';
import { journalText, type WorkNotes } from '../support/notes';
import { materialNote } from '../support/prompt';
import { scopedContext } from '../support/scoped-context';
import { planningState } from '../support/state';
import { runToolLoop } from '../support/tool-loop';
import type { fixLoopNode } from './node';

export type FixContext = ExecuteContext<ConfigOf<typeof fixLoopNode>>;

/** The rules of the loop; it is only entered where validation is on. */
export const repairConfig = ({ config }: FixContext) => ({
  ...postValidationConfigSchema.parse({ ...config, enabled: true }),
  timeoutSeconds: config.timeoutSeconds,
});

const system = [
  'You repair a workspace in which a check fails after a change. You work with tools only, in small steps, and you prove what you say by running the check again.',
  'Never make a check pass by weakening it, by skipping it, or by special cases for it.',
  materialNote,
].join('\n');

const reminder =
  'Repair what fails with the smallest change, run it again, and call task_complete when it passes or when you can do no more.';

export interface Attempt {
  next: Extract<NextAttempt, { go: true }>;
  before: ValidationResults;
  commands: CommandSet;
  notes: WorkNotes;
}

export interface Attempted {
  diagnosis: string;
  fix_tool_calls: string[];
  paths: string[];
}

/** One attempt: a conversation of its own in which tools carry the scope of the repair (planning.md §15, 5). */
export async function attemptRepair(context: FixContext, { next, before, commands, notes }: Attempt): Promise<Attempted> {
  const { config } = context;
  const rules = repairConfig(context);
  const failing = repairable(before, rules);
  const scope = scopeOf(context, next);
  const user = fixPrompt(
    {
      results: before,
      failing,
      commands,
      affected_files: scope.allowedFiles ?? ['every file of the workspace'],
      memories: await recall(context, {
        query: memoryQuery(before, failing),
        window: windowOf(config),
        retrieval: retrievalFor('fix_loop', config),
      }),
      journal: journalText(notes.journal),
      scratchpad: notes.scratchpad,
      regression_pattern: config.regressionPattern,
    },
    rules,
  );
  const loop = await runToolLoop(scopedContext(context, scope), {
    role: next.role === 'expert' ? 'expert' : config.role,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    tools: config.tools,
    local: [notes.journalTool(), notes.scratchpadTool()],
    loop: { maxTurns: config.turns, reminderInterval: config.reminderInterval, texts: { reminder } },
    settings: config,
    executing: true,
    refresh: (messages) => notes.rebuilt(messages, { system, user, window: windowOf(config) }),
  });
  const diagnosis = (loop.summary ?? '').trim() === '' ? loop.text : (loop.summary ?? '');
  return { diagnosis: diagnosis.trim(), fix_tool_calls: loop.calls.filter(changes).map(described), paths: loop.paths };
}

/** What the attempt may touch. No regression test may be changed here, those of this run neither (P7). */
function scopeOf(context: FixContext, { tdd_lock }: Attempt['next']): CallScope {
  const { scope, lockTests } = context.config;
  const { executionPlan, modifiedFiles } = planningState(context);
  // Without a plan, in fix mode, the files of the change are what was modified.
  const allowed = scope === 'plan' ? (executionPlan?.affected_files ?? modifiedFiles) : scope === 'modified' ? modifiedFiles : null;
  const locked = lockTests === 'always' || (lockTests === 'expert' && tdd_lock);
  return {
    strictRegressions: true,
    ...(allowed === null ? {} : { allowedFiles: uniquePaths(allowed) }),
    ...(locked ? { testsLocked: true } : {}),
  };
}

const changes = ({ name, status }: LoopCall): boolean => status === 'ok' && [...writeTools, 'run_command', 'format_code'].includes(name);

function described({ name, arguments: given }: LoopCall): string {
  const target = isJsonObject(given) ? (given.path ?? given.file_path ?? given.command) : null;
  return typeof target === 'string' ? `${name} ${target}` : name;
}
