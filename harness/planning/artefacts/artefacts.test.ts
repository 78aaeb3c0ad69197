import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coreFunctionalityTagSchema, dedupeCitations, designAndRisksSchema, designFromProse, renderDesignAndRisks } from './design';
import { executionPlanSchema, nameRegistryEntrySchema, verificationPlanSchema } from './execution-plan';
import { fileObservationSchema, fileSummarySchema, testingInventorySchema } from './file-summary';
import { fenced, noneIdentified, table } from './markdown';
import { mentionsPath, planPath, uniquePaths } from './paths';
import { phase1SummarySchema, renderSuggestedPrompt, suggestedPromptSchema } from './phase1-summary';
import { describeStep, planStepSchema, stepShapeWarnings } from './plan-step';
import { renderExecutionPlan } from './render-execution-plan';
import { renderFileSummary } from './render-file-summary';
import { commandSetSchema, summariseResults, validationResultsSchema } from './results';
import { renderScopeDocument, scopeDocumentSchema } from './scope-document';

const seed = 20_260_301;
const headings = (markdown: string): string[] => [...markdown.matchAll(/^## (.+)$/gm)].map(([, title]) => title ?? '');

describe('schemas', () => {
  test('a scope needs its problem only (bug: a model that leaves seven empty lists out loses the whole scope)', () => {
    expect(scopeDocumentSchema.parse({ problem: 'p' })).toEqual({
      problem: 'p',
      deliverables: [],
      in_scope: [],
      out_of_scope: [],
      downstream_consumers: [],
      assumptions: [],
      success_criteria: [],
      risks: [],
    });
    expect(scopeDocumentSchema.safeParse({ deliverables: [] }).success).toBe(false);
  });

  test('the defaults are those of the specification', () => {
    expect(fileObservationSchema.parse({ file_path: 'a.ts', role: 'modify', reason: 'r' })).toEqual({
      file_path: 'a.ts',
      role: 'modify',
      reason: 'r',
      relevant_sections: '',
      key_snippets: [],
    });
    expect(fileSummarySchema.parse({})).toEqual({
      files_to_modify: [],
      files_to_create: [],
      files_read_for_context: [],
      missing_infrastructure: [],
      verified_references: [],
      assumptions_resolved: [],
      testing_inventory: null,
      notes: '',
    });
    expect(fileSummarySchema.parse({ missing_infrastructure: [{ name: 'n', reason: 'r' }] }).missing_infrastructure[0]?.blocking).toBe(
      false,
    );
    expect(Object.values(testingInventorySchema.parse({}))).toEqual(['', '', '', '', [], [], '']);
    expect(coreFunctionalityTagSchema.parse({ entity: 'E', file_path: 'e.py', reason: 'r', source_signal: 'public_api' }).confidence).toBe(
      'medium',
    );
    expect(nameRegistryEntrySchema.parse({ entity: 'User' })).toMatchObject({ entity: 'User', registered_in: [], test_file: '' });
    expect(executionPlanSchema.parse({ scope: 's', steps: [] })).toMatchObject({
      user_summary: '',
      tdd_test_steps: [],
      plan_validation_warnings: [],
      core_functionality: [],
    });
    expect(commandSetSchema.parse({})).toEqual({ format: '', lint_fix: '', lint: '', test: '' });
    expect(suggestedPromptSchema.parse({ text: 't' })).toEqual({ text: 't', references: [] });
    expect(phase1SummarySchema.parse({ prose: 'p' })).toEqual({ prose: 'p', tool_calls: [], clarifications: [] });
  });

  test('an unknown tool or a missing path is told, a blank instruction is refused', () => {
    const stray = planStepSchema.parse({ step_number: 1, tool: 'delete_file', instruction: 'x' });
    const pathless = planStepSchema.parse({ step_number: 2, tool: 'edit_file', instruction: 'x' });
    expect(stepShapeWarnings([stray, pathless])).toEqual(['step 1 uses unknown tool: delete_file', 'step 2 (edit_file) names no file']);
    expect(planStepSchema.safeParse({ step_number: 1, tool: 'edit_file', instruction: ' \n' }).success).toBe(false);
    expect(planStepSchema.safeParse({ step_number: 1.5, tool: 'edit_file', instruction: 'x' }).success).toBe(false);
  });

  test('every artefact a model writes has a JSON Schema (bug: a transform makes a structured call impossible)', () => {
    for (const schema of [scopeDocumentSchema, fileSummarySchema, designAndRisksSchema, executionPlanSchema, verificationPlanSchema]) {
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
    }
  });

  test('a failed design keeps its prose; a page cited twice stands once', () => {
    expect(designFromProse('thoughts')).toEqual({ ...designAndRisksSchema.parse({}), notes: 'thoughts' });
    const cite = (dependency: string, docs_url: string) => ({ dependency, docs_url });
    const design = designAndRisksSchema.parse({ citations: [cite('a', 'u1'), cite('b', 'u1'), cite('c', ''), cite('d', '')] });
    expect(dedupeCitations(design).citations.map(({ dependency }) => dependency)).toEqual(['a', 'c', 'd']);
  });

  test('results count what ran only (bug: a command that never ran counts as passed)', () => {
    const results = validationResultsSchema.parse({
      lint: { success: false, output: 'x', full_output: 'x' },
      test: { success: true, output: '', full_output: '', exit_code: 0 },
    });
    expect(summariseResults(results)).toBe('1/2 passed. Failed: lint');
    expect(validationResultsSchema.safeParse({ deploy: { success: true, output: '', full_output: '' } }).success).toBe(false);
  });
});

describe('Markdown', () => {
  test('an empty scope prints all eight headings and says that nothing was found', () => {
    const markdown = renderScopeDocument(scopeDocumentSchema.parse({ problem: 'p' }));
    expect(headings(markdown)).toEqual([
      'Problem',
      'Deliverables',
      'In scope',
      'Out of scope',
      'Downstream consumers',
      'Assumptions',
      'Success criteria',
      'Risks',
    ]);
    expect(markdown.split(noneIdentified)).toHaveLength(8);
  });

  test('the other artefacts keep their headings when empty', () => {
    expect(headings(renderFileSummary(fileSummarySchema.parse({})))).toHaveLength(8);
    expect(headings(renderDesignAndRisks(designAndRisksSchema.parse({})))).toHaveLength(8);
    expect(headings(renderExecutionPlan(executionPlanSchema.parse({ scope: '', steps: [] })))).toHaveLength(10);
  });

  test('a snippet with a fence of its own stays inside its block (bug: the rest of the summary renders as code)', () => {
    const block = fenced('```ts\nconst a = 1;\n```');
    expect(block.startsWith('````\n')).toBe(true);
    expect(block.endsWith('\n````')).toBe(true);
  });

  test('a pipe or a line break in a name does not break the table', () => {
    const lines = table(['A', 'B'], [['x|y', 'one\ntwo']]).split('\n');
    expect(lines).toEqual(['| A | B |', '| --- | --- |', String.raw`| x\|y | one two |`]);
  });

  test('endless blanks and line breaks of a model are rendered all the same (bug: quadratic patterns hang the run)', () => {
    expect(table(['A'], [[`a${' '.repeat(200_000)}b`]])).toContain('| a');
    expect(fenced(`${'\n'.repeat(200_000)}x\n\n`).endsWith('\nx\n```')).toBe(true);
  });

  test('a suggested prompt has its title and its references', () => {
    const markdown = renderSuggestedPrompt({ text: 'Do it', references: ['src/a.ts:12'] });
    expect(markdown).toMatch(/^## Suggested Agent Prompt\n\nDo it\n\n### References\n\n- src\/a\.ts:12\n$/);
  });

  test('a step in one line is never longer than the limit and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (instruction) => {
        const line = describeStep({ tool: 'edit_file', file_path: 'a.ts', instruction });
        expect([...line].length).toBeLessThanOrEqual(120);
        expect(line).not.toContain('\n');
        expect(line).not.toMatch(/\p{Cs}/u);
      }),
      { seed },
    );
  });
});

describe('paths', () => {
  test('two spellings of one file are one file', () => {
    expect(uniquePaths(['./src/a.ts', String.raw`src\a.ts`, 'src//a.ts', ' '])).toEqual(['src/a.ts']);
    expect(planPath('../a.ts')).toBe('../a.ts');
  });

  test.each([
    ['edit src/a.ts.', true],
    ['see `./src/a.ts`', true],
    [String.raw`in src\a.ts, then`, true],
    ['src/a.tsx', false],
    ['lib/src/a.ts', false],
    ['src/a.ts.bak', false],
    ['old-src/a.ts', false],
    ['src/axts', false],
  ])('"%s" names src/a.ts: %s', (text, expected) => {
    expect(mentionsPath(text, 'src/a.ts')).toBe(expected);
  });

  test('names with characters of the pattern language are matched literally', () => {
    expect(mentionsPath('edit app/[id]/page+(x).tsx', 'app/[id]/page+(x).tsx')).toBe(true);
    expect(mentionsPath('日本/b.ts', '本/b.ts')).toBe(false);
  });
});
