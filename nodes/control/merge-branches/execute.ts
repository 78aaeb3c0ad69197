import { implementNode } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import { same } from '@/harness/layers/merge/three-way';
import { decided, fact } from '@/harness/layers/shared/explain';
import { decideAll } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { type MergedChannels, mergeState } from './merge-state';
import { mergeBranches } from './node';

export const executeMergeBranches = implementNode(mergeBranches, (context) => {
  const { config, branches } = context;
  if (branches.length === 0) {
    context.decide(decided({ rule: 'merge', outcome: 'a token alone passes', because: [fact('branches', 0)] }));
    return { output: context.received };
  }
  const base = stateOf(context);
  const states = branches.map((branch) => stateOf(branch));
  const merged = mergeState(base, states, config);
  const tasks = states.flatMap(({ currentTask }) => (currentTask === null ? [] : [currentTask]));
  const { worldModel, taskGraph } = merged.channels;
  context.decide(
    decided({
      rule: 'merge of branches',
      outcome: `${branches.length} ${branches.length === 1 ? 'branch' : 'branches'} united`,
      because: [
        fact(
          'tasks',
          tasks.map((id) => `${id} ${taskGraph.tasks.find((task) => task.id === id)?.status ?? 'gone'}`),
        ),
        fact(
          'generations',
          states.map((state) => state.worldModel.generation_id),
        ),
        fact('generation', worldModel.generation_id),
        fact(
          'beliefs',
          states.map((state) => state.worldModel.beliefs.length),
        ),
        fact('beliefs after', worldModel.beliefs.length),
      ],
    }),
  );
  decideAll(context, merged.decisions);
  writesOf(context, merged.channels);
  return {
    output: { tasks, contradictions: merged.found.map(({ description }) => description) },
    writes: touched(merged.channels, base, states),
  };
});

/** Every channel that some branch changed, also where the merged value is the old one: what is left out here falls to the later branch. */
function touched(merged: MergedChannels, base: ControlChannels, branches: readonly ControlChannels[]): Record<string, Json> {
  const changed = Object.entries(merged).filter(([id, value]) => {
    // the keys of MergedChannels are channels
    const channel = id as keyof MergedChannels;
    return !same(value, base[channel]) || branches.some((branch) => !same(branch[channel], base[channel]));
  });
  // every channel's value is plain JSON by its schema, which the engine checks once more
  return Object.fromEntries(changed) as Record<string, Json>;
}
