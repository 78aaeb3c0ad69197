import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DesignAndRisks, designAndRisksSchema } from '../artefacts/design';
import { type ExecutionPlan, executionPlanSchema } from '../artefacts/execution-plan';
import { planStepSchema, stepTools } from '../artefacts/plan-step';
import { assemblyChecks, validatorConfigSchema } from '../validators/config';
import { type AssemblyConfig, assemblePlan, defaultAssemblyConfig, missingFilesBlock } from './assemble';
import { noWriteStepWarning, sanitisePlan } from './sanitise';

const step = (tool: string, file_path = '', step_number = 1) => ({ step_number, tool, file_path, instruction: `${tool} it` });
const planOf = (...steps: ReturnType<typeof step>[]): ExecutionPlan => executionPlanSchema.parse({ scope: 's', steps });
const design = (fields: Partial<DesignAndRisks> = {}): DesignAndRisks => ({ ...designAndRisksSchema.parse({}), ...fields });
const assemble = (plan: ExecutionPlan, given: DesignAndRisks = design(), revisions = 0, config: Partial<AssemblyConfig> = {}) =>
  assemblePlan({
    plan,
    design: given,
    fileSummary: null,
    validators: { ...validatorConfigSchema.parse({}), checks: assemblyChecks },
    config: { ...defaultAssemblyConfig, ...config },
    revisions,
  });

describe('L12 a blocking missing file', () => {
  const missing = design({ missing_files: [{ file_path: 'mailer.py', purpose: 'sends mail', blocking: true }] });

  test('sends the plan back once, naming the file; a second time it only warns', () => {
    const first = assemble(planOf(step('edit_file', 'a.py')), missing);
    expect(first.feedback).toContain('`mailer.py` — sends mail [BLOCKING]');
    const second = assemble(planOf(step('edit_file', 'a.py')), missing, 1);
    expect(second.feedback).toBeNull();
    expect(second.plan.plan_validation_warnings).toEqual(['uncovered missing file: mailer.py — sends mail [BLOCKING]']);
    expect(second.decisions.at(-1)).toMatchObject({ rule: 'auto_revision', outcome: 'warn only' });
  });

  test('that is covered, or does not block, sends nothing back', () => {
    expect(assemble(planOf(step('create_file', './mailer.py')), missing).feedback).toBeNull();
    const optional = design({ missing_files: [{ file_path: 'mailer.py', purpose: '', blocking: false }] });
    const assembled = assemble(planOf(step('edit_file', 'a.py')), optional);
    expect([assembled.feedback, assembled.plan.plan_validation_warnings.length]).toEqual([null, 1]);
  });

  test('counts even when V2 is not among the checks, and never with automatic revision off', () => {
    expect(assemble(planOf(step('edit_file', 'a.py')), missing, 0, { autoRevise: 0 }).feedback).toBeNull();
    expect(missingFilesBlock(missing.missing_files)).toContain('mailer.py');
    expect(missingFilesBlock([])).toBe('');
  });
});

describe('assembly', () => {
  test('strips other tools, renumbers and says which', () => {
    const { plan, decisions } = assemble(planOf(step('delete_file', 'x', 1), step('edit_file', 'a.py', 7), step('run_tests', '', 7)));
    expect(plan.steps.map(({ step_number, tool }) => [step_number, tool])).toEqual([
      [1, 'edit_file'],
      [2, 'run_tests'],
    ]);
    expect(decisions[0]).toMatchObject({
      rule: 'steps_stripped',
      because: [{ value: 1, threshold: 0, holds: false }, { value: 'delete_file' }, {}],
    });
  });

  test('warns when nothing would be changed, also when stripping is the cause', () => {
    expect(assemble(planOf(step('delete_file', 'x'), step('run_tests'))).plan.plan_validation_warnings).toEqual([noWriteStepWarning]);
    expect(assemble(planOf()).plan.plan_validation_warnings).toEqual([noWriteStepWarning]);
  });

  test('core tags come from the design only, and not at all when switched off', () => {
    const tag = { entity: 'E', file_path: 'e.py', reason: 'r', source_signal: 'public_api' as const, confidence: 'high' as const };
    const invented = { ...planOf(step('edit_file', 'a.py')), core_functionality: [{ ...tag, entity: 'Invented' }] };
    expect(assemble(invented, design({ core_functionality: [tag] })).plan.core_functionality).toEqual([tag]);
    expect(assemble(invented, design({ core_functionality: [tag] }), 0, { coreFunctionality: false }).plan.core_functionality).toEqual([]);
  });

  test('what the model wrote into fields of later phases is discarded (bug: invented tests and warnings survive)', () => {
    const forged = {
      ...planOf(step('edit_file', 'a.py')),
      plan_validation_warnings: ['all fine'],
      tdd_test_steps: planOf(step('run_tests')).steps,
    };
    expect(assemble(forged).plan).toMatchObject({ plan_validation_warnings: [], tdd_test_steps: [] });
  });

  test('any plan comes out with allowed tools only, numbered without gaps, in the order given', () => {
    const anyStep = fc.record({
      step_number: fc.integer(),
      tool: fc.oneof(fc.constantFrom(...stepTools), fc.string()),
      file_path: fc.string(),
      instruction: fc.string().map((text) => `x${text}`),
    });
    fc.assert(
      fc.property(fc.array(anyStep), fc.array(anyStep), (first, main) => {
        const given = {
          ...planOf(),
          tdd_test_steps: first.map((s) => planStepSchema.parse(s)),
          steps: main.map((s) => planStepSchema.parse(s)),
        };
        const { plan, stripped } = sanitisePlan(given);
        const all = [...plan.tdd_test_steps, ...plan.steps];
        expect(all.map(({ step_number }) => step_number)).toEqual(all.map((_, at) => at + 1));
        expect(all.length + stripped.length).toBe(first.length + main.length);
        expect(plan.steps.map(({ instruction }) => instruction)).toEqual(
          given.steps.filter(({ tool }) => stepTools.some((allowed) => allowed === tool)).map(({ instruction }) => instruction),
        );
      }),
      { seed: 20_260_305 },
    );
  });
});
