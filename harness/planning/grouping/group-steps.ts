import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import { mentionsPath, planPath } from '../artefacts/paths';
import { commandTools, type PlanStep } from '../artefacts/plan-step';

export const groupingConfigSchema = z.object({
  barrierTools: z
    .array(z.string())
    .default([...commandTools])
    .meta({ title: 'Barrier tools', description: 'Run alone, after everything before them and before everything after them.' }),
  parallel: z.int().min(1).max(16).default(1).meta({ title: 'Steps of one group at once' }),
});
export type GroupingConfig = z.output<typeof groupingConfigSchema>;
export const defaultGroupingConfig: GroupingConfig = groupingConfigSchema.parse({});

export interface StepGroup {
  /** From 1; groups run one after another (decision P2). */
  number: number;
  barrier: boolean;
  steps: PlanStep[];
}

export interface Grouping {
  groups: StepGroup[];
  /** One per group, saying what each member had to wait for. */
  decisions: Decision[];
}

interface Placed {
  step: PlanStep;
  path: string;
  group: number;
  why: string;
}

const textOf = ({ instruction, reason, context }: PlanStep): string => [instruction, reason, context].join('\n');

/** The group of a step that is no barrier: behind the last earlier step that it depends on, else as early as the last barrier lets it. */
function place(step: PlanStep, earlier: readonly Placed[], floor: number): Placed {
  const path = planPath(step.file_path);
  const text = textOf(step);
  let group = floor;
  let why = floor === 1 ? 'depends on nothing' : 'depends on nothing since the barrier';
  for (const other of earlier) {
    if (other.path === '' || other.group < group) continue;
    const samePath = other.path === path;
    if (!samePath && !mentionsPath(text, other.path)) continue;
    group = other.group + 1;
    why = `step ${other.step.step_number} ${samePath ? 'acts on the same file' : `acts on ${other.path}, which this step names`}`;
  }
  return { step, path, group, why };
}

/**
 * Steps in groups whose members do not depend on each other (planning.md §13). Deterministic in the order of the steps, every step in exactly
 * one group, a barrier alone in its own.
 */
export function groupSteps(steps: readonly PlanStep[], config: GroupingConfig = defaultGroupingConfig): Grouping {
  const placed: Placed[] = [];
  let floor = 1;
  let last = 0;
  for (const step of steps) {
    const barrier = config.barrierTools.includes(step.tool);
    const next = barrier
      ? { step, path: planPath(step.file_path), group: Math.max(last + 1, floor), why: `${step.tool} is a barrier` }
      : place(step, placed, floor);
    placed.push(next);
    last = Math.max(last, next.group);
    if (barrier) floor = next.group + 1;
  }
  const groups: StepGroup[] = [];
  const decisions: Decision[] = [];
  for (let number = 1; number <= last; number += 1) {
    const members = placed.filter(({ group }) => group === number);
    const barrier = members.some(({ step }) => config.barrierTools.includes(step.tool));
    groups.push({ number, barrier, steps: members.map(({ step }) => step) });
    decisions.push(
      decided({
        rule: 'step_group',
        outcome: `group ${number}${barrier ? ' (barrier)' : ''}: steps ${members.map(({ step }) => step.step_number).join(', ')}`,
        because: [
          ...members.map(({ step, why }) => fact(`step ${step.step_number}`, why)),
          fact('at once', Math.min(config.parallel, members.length)),
        ],
      }),
    );
  }
  return { groups, decisions };
}
