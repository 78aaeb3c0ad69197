import { z } from 'zod';
import { claimConfigSchema } from '../claims/claims';
import { pressureConfigSchema } from '../context/pressure';

const text = (title: string, initial: string) => z.string().min(1).default(initial).meta({ title });
const tools = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

/** Words put to the model. A node that runs the loop may have its own. */
export const loopTextsSchema = z.object({
  textOnly: text(
    'After a reply without a tool call',
    'You called no tool. If the work is done, call task_complete with a summary. Otherwise make the next tool call now.',
  ),
  truncated: text(
    'After a reply that was cut off',
    'Your reply was cut off before a tool call. Output only the tool call, without any text around it.',
  ),
  loop: text(
    'After the same call again and again',
    'You have made the same call with the same arguments several times, and its answer will not change. Take a different approach.',
  ),
  preRefresh: text(
    'Before the context is rebuilt',
    'The context is nearly full and will soon be rebuilt from what is on record. Write what must not be lost into the journal and the scratchpad now.',
  ),
  reminder: text('Task reminder', 'Remember the task you were given, and work towards it. Call task_complete as soon as it is done.'),
  claim: text(
    'After an unchecked claim amid failing tests',
    'The tests keep failing and you state something about the outside world that you have not looked up. Search the current documentation before you go on.',
  ),
  confidence: text(
    'After a statement marked [UNVERIFIED]',
    'You marked a statement as [UNVERIFIED] and can search. Verify it before you build on it.',
  ),
  reasoning: text(
    'After thinking that was cut off',
    'Your thinking used up its budget. Commit to the best option you have, and make the next tool call now.',
  ),
});

/** Every row of planning.md §12 with its threshold. */
export const loopConfigSchema = z.object({
  maxTurns: z.int().min(0).default(50).meta({ title: 'Most turns', description: '0 = no limit.' }),
  textOnlyExit: z.int().min(1).default(3).meta({ title: 'Replies in a row without a tool call that end the loop' }),
  textOnlyNudge: z.boolean().default(true).meta({ title: 'Say something after a reply without a tool call' }),
  truncationExit: z.int().min(1).default(5).meta({ title: 'Truncated replies in a row that end the loop' }),
  truncationNudge: z.boolean().default(true).meta({ title: 'Say something after a truncated reply' }),
  loopDetection: z.int().min(0).default(3).meta({ title: 'Same calls in a row that count as a loop', description: '0 = off.' }),
  reminderInterval: z.int().min(0).default(10).meta({ title: 'Turns between task reminders', description: '0 = off.' }),
  pressure: pressureConfigSchema.prefault({}).meta({ title: 'Context refresh' }),
  preRefreshWarning: z.boolean().default(true).meta({ title: 'Warn before the context is rebuilt' }),
  refreshMinMessages: z.int().min(0).default(4).meta({ title: 'Fewest messages that are rebuilt' }),
  reasoningInterrupts: z
    .int()
    .min(0)
    .default(2)
    .meta({ title: 'Aborted thinking tolerated in a row', description: 'One more ends the loop.' }),
  claimVerification: z.boolean().default(true).meta({ title: 'Question claims amid failing tests' }),
  claimFailures: z.int().min(1).default(2).meta({ title: 'Failing test or lint runs in a row from which claims are questioned' }),
  claims: claimConfigSchema.prefault({}).meta({ title: 'Claims' }),
  confidenceCheck: z.boolean().default(true).meta({ title: 'Question statements marked [UNVERIFIED]' }),
  checkTools: tools('Tools that run tests or linters', ['run_tests', 'run_lint']),
  searchTools: tools('Tools that search outside sources', [
    'search_internet',
    'fetch_url',
    'search_reference',
    'search_wiki',
    'fetch_wiki_page',
  ]),
  readTools: tools('Tools that read the workspace', [
    'read_file',
    'grep_files',
    'list_directory',
    'directory_tree',
    'query_project_context',
  ]),
  completionTool: z.string().min(1).default('task_complete').meta({ title: 'Tool that ends the loop' }),
  texts: loopTextsSchema.prefault({}).meta({ title: 'Wording' }),
});
export type LoopConfig = z.output<typeof loopConfigSchema>;
export type LoopConfigInput = z.input<typeof loopConfigSchema>;
export const defaultLoopConfig: LoopConfig = loopConfigSchema.parse({});

/** What the phases set away from the defaults (planning.md §0, §4, §6, §7, §9, §14, §15). */
export const loopPresets = {
  chat: { maxTurns: 20 },
  clarify: { maxTurns: 5, textOnlyExit: 1 },
  explore: { maxTurns: 0, reminderInterval: 15 },
  scan: { maxTurns: 15 },
  design: { maxTurns: 15, textOnlyExit: 1 },
  investigate: { maxTurns: 3 },
  step: { maxTurns: 0, reminderInterval: 1 },
  fix: { maxTurns: 30, reminderInterval: 1 },
  dispute: { maxTurns: 10 },
} as const satisfies Record<string, LoopConfigInput>;

/** Turns of one deep dive when so many run side by side (planning.md §6). At least one runs. */
export const deepDiveTurns = (parallel: number): number => Math.max(10, Math.floor(30 / Math.max(1, parallel)));
