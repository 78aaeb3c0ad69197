import { z } from 'zod';
import { regressionPattern } from './path-rules';

/** Guards in the order of planning.md §13, with those of §19 S4 where they belong. G6, the time limit, is kept by what runs the process. */
export const guardIds = ['G0', 'read_only', 'recursion', 'control_state', 'contract', 'G1', 'G2', 'G3', 'G4', 'G5'] as const;
export type GuardId = (typeof guardIds)[number];

export const guardTitles: Readonly<Record<GuardId, string>> = {
  G0: 'required parameters',
  read_only: 'read only',
  recursion: 'no runs within runs',
  control_state: 'control state',
  contract: 'contract of the step',
  G1: 'allowed files',
  G2: 'TDD lock',
  G3: 'regression guard',
  G4: 'outside path',
  G5: 'command safety',
};

const names = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

export const guardConfigSchema = z.object({
  order: z
    .array(z.enum(guardIds))
    .default([...guardIds])
    .meta({ title: 'Guards, first hit wins', description: 'A guard that is left out is off.' }),
  readOnly: z.boolean().default(false).meta({ title: 'Only tools that change nothing' }),
  recursionDeny: z.boolean().default(false).meta({ title: 'No tools that start another run' }),
  scopeFromContract: z.boolean().default(true).meta({ title: 'Take the scope from the contract of the step' }),
  external: z.enum(['ask', 'deny']).default('ask').meta({ title: 'Paths outside of the workspace' }),
  regressionPattern: z
    .string()
    .default(regressionPattern)
    .refine(isPattern, 'This is no regular expression.')
    .meta({ title: 'Paths of regression tests', description: 'A regular expression.' }),
  guardCreateOverwrite: z.boolean().default(true).meta({ title: 'Guard regression tests against being overwritten' }),
  ignoreSession: z.boolean().default(false).meta({
    title: 'Guard also those created in this session',
    description: 'On in the fix loop: every regression test is fixed there.',
  }),
  unknownTarget: z.enum(['exists', 'absent']).default('exists').meta({
    title: 'A target of which it is not known whether it exists counts as',
  }),
  createTools: names('Tools that create files', ['create_file']),
  editTools: names('Tools that edit files', ['edit_file']),
  commandTools: names('Tools that run commands', ['run_command', 'run_tests', 'run_lint', 'format_code', 'run_check']),
  runTools: names('Tools that start another run', ['start_run', 'run_flow', 'delegate', 'spawn_agent']),
  alwaysTools: names('Tools that no contract needs to list', [
    'task_complete',
    'update_scratchpad',
    'add_journal_entry',
    'request_clarification',
    'request_test_change',
  ]),
  pathFields: names('Fields that hold paths', ['file_path', 'path', 'paths', 'folder']),
  commandFields: names('Fields that hold a command', ['command', 'argv']),
  blankAllowed: z
    .record(z.string(), z.array(z.string()))
    .default({ create_file: ['content'], edit_file: ['replace', 'replacement', 'new_string', 'new_text'] })
    .meta({ title: 'Required fields that may be blank, by tool' }),
  blockCommands: names('More commands that never run', []),
  askCommands: names('More commands that need approval', []),
  timeoutSeconds: z.number().min(0).default(60).meta({ title: 'Longest a tool may run, seconds' }),
});
export type GuardConfig = z.output<typeof guardConfigSchema>;
export type GuardConfigInput = z.input<typeof guardConfigSchema>;
export const defaultGuardConfig: GuardConfig = guardConfigSchema.parse({});
