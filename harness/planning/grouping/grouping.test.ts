import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mentionsPath, planPath } from '../artefacts/paths';
import { isCommandStep, numbered, type PlanStep, planStepSchema, stepTools } from '../artefacts/plan-step';
import { groupSteps } from './group-steps';

const step = (tool: string, file_path = '', instruction = 'do it'): PlanStep =>
  planStepSchema.parse({ step_number: 1, tool, file_path, instruction });
const shape = (...steps: PlanStep[]): number[][] =>
  groupSteps(numbered(steps)).groups.map((group) => group.steps.map(({ step_number }) => step_number));

describe('L29 grouping', () => {
  test('edits of other files run together, a test run stands alone, what follows waits for it', () => {
    expect(shape(step('edit_file', 'a.py'), step('edit_file', 'b.py'), step('run_tests'), step('edit_file', 'c.py'))).toEqual([
      [1, 2],
      [3],
      [4],
    ]);
  });

  test('a step that names the path of an earlier one comes after it', () => {
    expect(
      shape(
        step('edit_file', 'src/a.py'),
        step('edit_file', 'b.py', 'Import from src/a.py.'),
        step('run_tests'),
        step('edit_file', 'c.py'),
      ),
    ).toEqual([[1], [2], [3], [4]]);
  });

  test('a path inside another word is no mention (bug: a.py found in data.py)', () => {
    expect(shape(step('edit_file', 'a.py'), step('edit_file', 'b.py', 'like data.py or a.pyc'))).toEqual([[1, 2]]);
  });

  test('two steps on one file keep their order, under any spelling', () => {
    expect(shape(step('create_file', 'a.py'), step('edit_file', './a.py'), step('edit_file', 'b.py'))).toEqual([[1, 3], [2]]);
  });

  test('barriers in a row each stand alone; a first barrier makes no empty group', () => {
    expect(shape(step('format_code'), step('run_lint'), step('edit_file', 'a.py'))).toEqual([[1], [2], [3]]);
    expect(shape()).toEqual([]);
  });

  test('a dependency from before a barrier costs nothing more; chains after it do', () => {
    expect(
      shape(
        step('edit_file', 'a.py'),
        step('run_command'),
        step('edit_file', 'a.py'),
        step('edit_file', 'b.py', 'see a.py'),
        step('edit_file', 'c.py'),
      ),
    ).toEqual([[1], [2], [3, 5], [4]]);
  });

  test('the decision says what each member waited for', () => {
    const { decisions } = groupSteps(numbered([step('edit_file', 'a.py'), step('edit_file', 'b.py', 'see a.py')]));
    expect(decisions[1]?.because[0]).toEqual({ name: 'step 2', value: 'step 1 acts on a.py, which this step names' });
  });

  test('every step is in one group; dependencies and barriers are always in order', () => {
    const path = fc.constantFrom('a.py', 'b.py', 'src/a.py', './b.py', '');
    const anyStep = fc.record({ tool: fc.constantFrom(...stepTools), path, mentions: path });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 14 }), (specs) => {
        const steps = numbered(specs.map(({ tool, path: of, mentions }) => step(tool, of, `see ${mentions}`)));
        const { groups } = groupSteps(steps);
        const groupOf = new Map(groups.flatMap((group) => group.steps.map((member) => [member.step_number, group] as const)));
        expect([...groupOf.keys()].sort((a, b) => a - b)).toEqual(steps.map(({ step_number }) => step_number));
        for (const later of steps) {
          for (const earlier of steps.slice(0, later.step_number - 1)) {
            const order = (groupOf.get(later.step_number)?.number ?? 0) - (groupOf.get(earlier.step_number)?.number ?? 0);
            const of = planPath(earlier.file_path);
            const depends = of !== '' && (of === planPath(later.file_path) || mentionsPath(later.instruction, of));
            if (depends || isCommandStep(earlier) || isCommandStep(later)) expect(order).toBeGreaterThan(0);
          }
        }
        for (const group of groups) if (group.barrier) expect(group.steps).toHaveLength(1);
      }),
      { seed: 20_260_306 },
    );
  });
});
