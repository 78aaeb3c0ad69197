import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, jsonSchema } from '@/harness/contract/json';
import { designAndRisksSchema } from '@/harness/planning/artefacts/design';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { fileSummarySchema } from '@/harness/planning/artefacts/file-summary';
import { validationResultsSchema } from '@/harness/planning/artefacts/results';
import { scopeDocumentSchema } from '@/harness/planning/artefacts/scope-document';
import { emptyLayers, extendLayers, layerValueAt, ownBranch, pointsOf } from '@/harness/trace/views/layers/history';
import { TestLog } from '@/harness/trace/views/test-log';
import { indexTrace } from '@/harness/trace/views/trace-index';
import { catalogue } from '@/nodes/catalog';
import { approvalForm, editsOf } from '@/nodes/planning/plan-approval/form';
import { fieldsOf } from '../../ui/schema-form-model';
import { hasPlan, planChannels } from './plan-channels';
import { formBesidePlan, isChosen, optionOfStep, optionOfTag, planFields, withChoice } from './plan-edits';
import { clarificationsOf, designReading, filesReading, scopeReading } from './read-documents';
import { planReading, shownPlan, stepKey, verificationSteps } from './read-plan';
import { attemptsOf, commandResults, memoriesOf, resultsLine, stepOutcomes, tddReading } from './read-results';

const json = (value: unknown): Json => jsonSchema.parse(JSON.parse(JSON.stringify(value)));

const tag = { entity: 'Notes', file_path: 'src/notes.js', reason: 'public', source_signal: 'public_api', confidence: 'low' } as const;
const plan = executionPlanSchema.parse({
  scope: 'Reset of passwords',
  user_summary: 'Adds a reset.',
  steps: [
    { step_number: 1, tool: 'create_file', file_path: 'src/reset.js', instruction: 'Write it', reason: 'New' },
    { step_number: 2, tool: 'edit_file', file_path: 'src/app.js', instruction: 'Mount it' },
  ],
  plan_validation_warnings: ['V3: src/gone.js was never seen'],
  core_functionality: [tag, { ...tag, entity: 'App', confidence: 'high' }],
});
const verify = { step_number: 3, tool: 'run_tests', file_path: '', instruction: 'Run the suite', reason: '', context: '' };
const withVerification = { ...plan, steps: [...plan.steps, verify] };

describe('a plan', () => {
  test('is read whole; what is none gives null (bug: an ask of another kind is drawn as an empty plan)', () => {
    const read = planReading(json(plan));
    expect(read?.steps.map(({ number, tool, path }) => [number, tool, path])).toEqual([
      [1, 'create_file', 'src/reset.js'],
      [2, 'edit_file', 'src/app.js'],
    ]);
    expect(read?.warnings).toEqual(['V3: src/gone.js was never seen']);
    expect(read?.tags[0]).toMatchObject({ entity: 'Notes', path: 'src/notes.js', signal: 'public api' });
    const others: Json[] = [null, 'plan', { steps: 'none' }, { plan: '# Execution plan' }];
    for (const other of others) expect(planReading(other)).toBeNull();
    expect(shownPlan({ plan: 'text only' })).toBeNull();
  });

  test('marks what verification added, also after the plan was numbered anew (bug: every step after a revision is a verification step)', () => {
    const renumbered = {
      ...withVerification,
      steps: withVerification.steps.slice(1).map((step, at) => ({ ...step, step_number: at + 1 })),
    };
    const points = [
      { visit: 'assemble', value: json(plan) },
      { visit: 'verify', value: json(withVerification) },
      { visit: 'approve', value: json(renumbered) },
    ];
    const added = verificationSteps(points, (visit) => visit === 'verify');
    const last = planReading(json(renumbered));
    expect(last?.steps.map((step) => added.has(stepKey(step)))).toEqual([false, true]);
    expect(verificationSteps(points, () => false).size).toBe(0);
  });
});

describe('the approval of a plan', () => {
  const form = approvalForm(plan, true);
  const fields = planFields(form);
  const shown = shownPlan({ plan_object: json(plan), warnings: ['w'], core_functionality: json(plan.core_functionality), tdd_preview: [] });
  const parts = { tags: shown?.tags ?? [], steps: shown?.plan.steps ?? [] };

  test('offers each choice beside its tag or step, and what it sends is what the node reads (bug: labels that drifted apart prune nothing)', () => {
    let values: JsonObject = { feedback: 'keep' };
    const [notes, app] = parts.tags;
    if (notes === undefined || app === undefined) throw new Error('two tags expected');
    const prune = optionOfTag(fields.prune, app);
    const promote = optionOfTag(fields.promote, notes);
    expect(optionOfTag(fields.promote, app)).toBeUndefined();
    const drop = optionOfStep(fields.drop, { number: 2 });
    values = withChoice(values, { key: 'prune', options: fields.prune }, prune ?? '', true);
    values = withChoice(values, { key: 'promote', options: fields.promote }, promote ?? '', true);
    values = withChoice(values, { key: 'drop', options: fields.drop }, drop ?? '', true);
    expect(editsOf(plan, { values })).toEqual([
      { kind: 'prune', entity: 'App', file_path: 'src/notes.js' },
      { kind: 'promote', entity: 'Notes', file_path: 'src/notes.js' },
      { kind: 'drop_step', step_number: 2 },
    ]);
    const undone = withChoice(values, { key: 'drop', options: fields.drop }, drop ?? '', false);
    expect(undone.drop).toBeUndefined();
    expect(isChosen(values, 'drop', drop ?? '')).toBe(true);
  });

  test('keeps every other field in the form, and a field of which an option fits nothing shown (bug: a choice nobody can make)', () => {
    const keysOf = (tags: typeof parts.tags) => fieldsOf(formBesidePlan(form, fields, { ...parts, tags })).map(({ key }) => key);
    expect(keysOf(parts.tags)).toEqual(['feedback', 'add']);
    expect(keysOf(parts.tags.slice(0, 1))).toEqual(['feedback', 'prune', 'add']);
  });

  test('a step 1 is not taken for step 12 (bug: dropping the wrong step)', () => {
    expect(optionOfStep(['12. edit_file b', '1. edit_file a'], { number: 1 })).toBe('1. edit_file a');
  });
});

describe('documents', () => {
  test('a scope has all headings; an assumption says how to verify it', () => {
    const scope = scopeDocumentSchema.parse({ problem: 'p', assumptions: [{ assumption: 'a', verify_hint: 'grep b' }] });
    const read = scopeReading(json(scope));
    expect(read?.lists).toHaveLength(7);
    expect(read?.lists.find(({ title }) => title === 'Assumptions')?.lines).toEqual(['a – verify: grep b']);
    expect(scopeReading(null)).toBeNull();
  });

  test('files are the observations until the summary is there (bug: an empty view during exploration)', () => {
    const observed = [{ id: 'a', file_path: 'a', role: 'modify', reason: 'r' }];
    expect(filesReading(null, observed)?.files.map(({ path }) => path)).toEqual(['a']);
    expect(filesReading(null, [])).toBeNull();
    const summary = fileSummarySchema.parse({
      files_to_create: [{ file_path: 'n', role: 'create', reason: 'r' }],
      missing_infrastructure: [{ name: 'mailer', reason: 'none', blocking: true }],
      testing_inventory: { affected_files_existing_coverage: [{ source_file: 's' }] },
    });
    expect(filesReading(json(summary), observed)).toMatchObject({
      files: [{ path: 'n' }],
      missing: [{ name: 'mailer', blocking: true }],
      testing: { facts: [], coverage: ['s – no tests'] },
    });
  });

  test('risks come gravest first, unknown grades last', () => {
    const risk = (severity: string) => ({ risk: severity, severity, mitigation: '' });
    const design = { ...designAndRisksSchema.parse({}), critical_risks: ['low', 'odd', 'high', 'medium'].map(risk) };
    expect(designReading(json(design))?.risks.map(({ severity }) => severity)).toEqual(['high', 'medium', 'low', 'odd']);
  });

  test('values of another shape are shown as far as they go and never fail', () => {
    for (const value of [null, [], {}, 'x', 7]) {
      expect(clarificationsOf(value)).toEqual([]);
      expect(stepOutcomes(value)).toEqual([]);
      expect(attemptsOf(value)).toEqual([]);
      expect(memoriesOf(value)).toEqual([]);
    }
    expect(designReading({ critical_risks: [null] })?.risks).toEqual([{ risk: '', severity: '', mitigation: '' }]);
    expect(tddReading({ state: 'RED_CHECK', halt: 'unexpected_pass' })).toMatchObject({ state: 'red check', halt: 'unexpected pass' });
  });
});

describe('results', () => {
  test('what did not run is neither passed nor failed (bug: "4 of 4 passed" with two commands run)', () => {
    const results = validationResultsSchema.parse({
      lint: { success: false, output: 'x', full_output: 'xx', exit_code: 1 },
      test: { success: true, output: 'short', full_output: '', command: 'node --test', exit_code: 0 },
    });
    const read = commandResults({ format: '', lint: 'eslint .', test: 'npm test' }, json(results));
    expect(read.map(({ id, success, command, exit, output }) => [id, success, command, exit, output])).toEqual([
      ['format', null, '', null, ''],
      ['lint_fix', null, '', null, ''],
      ['lint', false, 'eslint .', 1, 'xx'],
      ['test', true, 'node --test', 0, 'short'],
    ]);
    expect(resultsLine(read)).toBe('1 of 2 passed, failed: lint');
    expect(resultsLine(commandResults({}, null))).toBe('nothing ran');
  });

  test('memories that models see come first', () => {
    const row = (id: string, curation_status: string) => ({ id, content: id, category: 'fix_pattern', curation_status });
    const read = memoriesOf([row('a', 'auto'), row('b', 'user_confirmed'), row('c', 'superseded')]);
    expect(read.map(({ id, status, category }) => [id, status, category])).toEqual([
      ['b', 'confirmed', 'fix pattern'],
      ['a', 'noticed', 'fix pattern'],
      ['c', 'superseded', 'fix pattern'],
    ]);
  });
});

describe('the history of artefacts', () => {
  test('follows the moment, and only planning channels (bug: the plan before the revision shows the revised one)', () => {
    const log = new TestLog();
    log.visitStart('assemble', {}).patch('assemble', 'executionPlan', [{ op: 'replace', path: [], value: json(plan) }]);
    const first = log.events.length;
    log.visitStart('revise', {}).patch('revise', 'executionPlan', [{ op: 'replace', path: ['scope'], value: 'Another' }]);
    log.patch('revise', 'diagnostics', [{ op: 'replace', path: [], value: {} }]);
    const index = indexTrace(log.events);
    const history = extendLayers(emptyLayers({ executionPlan: null }, planChannels), index);
    const at = (seq: number) => planReading(layerValueAt(history, { branch: ownBranch, channel: 'executionPlan', seq }))?.scope;
    expect([at(1), at(first), at(index.last)]).toEqual([undefined, 'Reset of passwords', 'Another']);
    expect(pointsOf(history, ownBranch, 'diagnostics')).toEqual([]);
    expect(hasPlan(index)).toBe(true);
  });

  test('every channel of the view exists (bug: a channel that was renamed shows as never written), and memories alone are no plan', () => {
    expect([...planChannels].filter((id) => !catalogue.channels.has(id))).toEqual([]);
    const log = new TestLog();
    log.visitStart('m', {}).patch('m', 'workspaceMemories', [{ op: 'replace', path: [], value: [] }]);
    expect(hasPlan(indexTrace(log.events))).toBe(false);
  });
});
