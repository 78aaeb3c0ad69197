import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { executionPlanSchema } from '../artefacts/execution-plan';
import { type PlanStep, planStepSchema } from '../artefacts/plan-step';
import type { StepResult } from '../artefacts/results';
import { artefactBudget, emptyArtefactStore, renderStoredFiles, storedBytes, storeFiles, utf8Bytes } from './artefact-store';
import { checkpointOf, executionHalted, incompleteEntry, judgeStep, type StepCall, skippedResults } from './step-outcome';
import { executionChecklist, stepPromptParts } from './step-prompt';

const seed = 20_260_309;
const step = (tool: string, file_path = '', rest: object = {}): PlanStep =>
  planStepSchema.parse({ step_number: 1, tool, file_path, instruction: `${tool} it`, ...rest });
const result = (step_number: number, status: StepResult['status'] = 'completed', summary = ''): StepResult => ({
  step_number,
  status,
  tool: 'edit_file',
  file_path: 'a.py',
  description: `step ${step_number}`,
  summary,
  changed_files: [],
  failure_reasons: status === 'failed' ? ['its action did not happen'] : [],
});

describe('artefact store', () => {
  test('the budget is ten percent of the window at 3.5 characters to a token', () => {
    expect(artefactBudget(100_000)).toBe(35_000);
    expect(artefactBudget(100_000, { artefactPct: 0 })).toBe(0);
  });

  test('the oldest go first; a file written again is new (bug: the file in use is evicted)', () => {
    let { store } = storeFiles(emptyArtefactStore(10), 1, [{ path: 'a', content: 'aaaa' }]);
    store = storeFiles(store, 2, [{ path: 'b', content: 'bbbb' }]).store;
    store = storeFiles(store, 3, [{ path: './a', content: 'AAAA' }]).store;
    const next = storeFiles(store, 4, [{ path: 'c', content: 'cccc' }]);
    expect(next.store.files.map(({ path, content }) => [path, content])).toEqual([
      ['a', 'AAAA'],
      ['c', 'cccc'],
    ]);
    expect(next.store.evicted).toEqual(['b']);
    expect(next.decision.because[0]).toMatchObject({ value: 12, threshold: 10, holds: false });
    expect(storeFiles(next.store, 5, [{ path: 'b', content: 'b' }]).store.evicted).toEqual([]);
  });

  test('a file larger than the budget drives out nobody and is named; a deleted one is gone', () => {
    const { store } = storeFiles(emptyArtefactStore(4), 1, [{ path: 'a', content: 'aaaa' }]);
    const next = storeFiles(store, 2, [{ path: 'big', content: 'x'.repeat(5) }]).store;
    expect(next.files.map(({ path }) => path)).toEqual(['a', 'big']);
    expect(renderStoredFiles(next)).toContain('`big` (5 bytes)');
    expect(storeFiles(next, 3, [{ path: 'a', content: null }]).store.files.map(({ path }) => path)).toEqual(['big']);
    expect(renderStoredFiles(emptyArtefactStore(4))).toBe('');
  });

  test('whatever is written, the budget holds in bytes and the newest file that fits is kept', () => {
    const file = fc.record({
      path: fc.constantFrom('a', 'b', 'c', 'd'),
      content: fc.option(fc.string({ unit: 'grapheme', maxLength: 12 })),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 20 }), fc.nat(30), (writes, budget) => {
        let store = emptyArtefactStore(budget);
        writes.forEach((write, at) => {
          store = storeFiles(store, at, [write]).store;
          expect(storedBytes(store)).toBeLessThanOrEqual(budget);
          const paths = store.files.map(({ path }) => path);
          expect(new Set(paths).size).toBe(paths.length);
          if (write.content !== null && utf8Bytes(write.content) <= budget) expect(store.files.at(-1)?.content).toBe(write.content);
        });
      }),
      { seed },
    );
  });
});

describe('the prompt of one step', () => {
  const plan = executionPlanSchema.parse({
    scope: 's',
    naming_conventions: [{ category: 'functions', pattern: 'snake_case', source_file: 'a.py' }],
    name_registry: [{ entity: 'Reset', model_class: 'PasswordReset' }],
    tdd_test_steps: [step('create_file', 'tests/test_a.py')],
    steps: [step('edit_file', 'a.py', { step_number: 2, instruction: 'x'.repeat(300) })],
  });
  const [subject] = plan.steps;
  if (!subject) throw new Error('no step');

  test('has context, naming table and registry in the system part; step, finished steps and files in the user part', () => {
    const { store } = storeFiles(emptyArtefactStore(100), 1, [{ path: 'b.py', content: 'B = 1\n' }]);
    const parts = stepPromptParts({
      plan,
      step: subject,
      context: 'ctx',
      completed: [result(1, 'completed', 'wrote it'), result(9, 'failed')],
      store,
    });
    expect(parts.system.map((part) => part.split('\n')[0])).toEqual(['## Context', '## Naming conventions', '## Name registry']);
    expect(parts.user.map((part) => part.split('\n')[0])).toEqual([
      '### 2. edit_file `a.py`',
      '## Finished steps',
      '## Files changed so far',
    ]);
    expect(parts.user[1]).toContain('Step 1: wrote it');
    expect(parts.user[1]).not.toContain('Step 9');
    expect(parts.user[2]).toContain('B = 1');
  });

  test('leaves out what is empty', () => {
    const bare = { naming_conventions: [], name_registry: [] };
    const parts = stepPromptParts({ plan: bare, step: subject, context: ' ', completed: [], store: emptyArtefactStore(0) });
    expect([parts.system.length, parts.user.length]).toEqual([0, 1]);
  });

  test('the checklist covers tests written first and steps, at most 120 characters each', () => {
    const { steps, total } = executionChecklist(plan);
    expect(total).toBe(2);
    expect(steps.map(({ step_index }) => step_index)).toEqual([1, 2]);
    expect(steps[1]?.description).toHaveLength(120);
  });
});

describe('whether a step failed', () => {
  const judge = (subject: PlanStep, calls: StepCall[], exit = 'task_complete', failOnRed = false) =>
    judgeStep({ step: subject, calls, exit, summary: 'done' }, { failOnRed }).result;
  const edit = step('edit_file', 'src/a.py');
  const wrote: StepCall = { tool: 'edit_file', file_path: './src/a.py', status: 'ran' };

  test('the action has to happen on the file of the step, not refused and not elsewhere', () => {
    expect(judge(edit, [wrote])).toMatchObject({ status: 'completed', changed_files: ['src/a.py'], failure_reasons: [] });
    expect(judge(edit, []).failure_reasons).toEqual(['its action did not happen: edit_file src/a.py']);
    expect(judge(edit, [{ ...wrote, status: 'refused' }]).status).toBe('failed');
    expect(judge(edit, [{ ...wrote, file_path: 'src/b.py' }]).status).toBe('failed');
    expect(judge(step('create_file', 'src/a.py'), [wrote]).status).toBe('completed');
    expect(judge(step('read_file', 'src/a.py'), [wrote]).status).toBe('failed');
  });

  test('a command that was killed did not happen; one that ended red did', () => {
    const tests = step('run_tests');
    expect(judge(tests, [{ tool: 'run_tests', status: 'ran', exit_code: null }]).status).toBe('failed');
    expect(judge(tests, [{ tool: 'run_tests', status: 'ran', exit_code: 1 }]).status).toBe('completed');
    expect(judge(tests, [{ tool: 'run_tests', status: 'ran', exit_code: 1 }], 'task_complete', true).failure_reasons).toEqual([
      'run_tests ended with exit code 1',
    ]);
    const mended: StepCall[] = [1, 0].map((exit_code) => ({ tool: 'run_tests', status: 'ran', exit_code }));
    expect(judge(tests, mended, 'task_complete', true).status).toBe('completed');
  });

  test('a loop that ran out did not complete its step, whatever it changed', () => {
    expect(judge(edit, [wrote], 'text_only').failure_reasons).toEqual(['it ended without task_complete: text_only']);
  });

  test('a check that the contract requires has to be run', () => {
    const strict = step('edit_file', 'src/a.py', { contract: { job: 'j', success_checks: [{ description: 'green', tool: 'run_tests' }] } });
    expect(judge(strict, [wrote]).failure_reasons).toEqual(['a required check was not run: run_tests']);
    expect(judge(strict, [wrote, { tool: 'run_tests', status: 'ran', exit_code: 0 }]).status).toBe('completed');
    expect(judge(strict, [wrote, { tool: 'run_tests', status: 'refused' }]).status).toBe('failed');
  });

  test('a failure is written down, halts, and leaves no step without a result', () => {
    const failed = judge(edit, []);
    expect(incompleteEntry(failed)).toContain('- its action did not happen: edit_file src/a.py');
    expect(checkpointOf(edit, 'failed')).toEqual({ step_index: 1, step_description: 'edit_file src/a.py edit_file it', status: 'failed' });
    expect([executionHalted([failed]), executionHalted([result(1)])]).toEqual([true, false]);
    const rest = skippedResults([edit, step('run_tests', '', { step_number: 2 })], [failed]);
    expect(rest.map(({ step_number, status }) => [step_number, status])).toEqual([[2, 'skipped']]);
  });
});
