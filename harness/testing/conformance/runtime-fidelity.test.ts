import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../contract/json';
import { runScenario } from './adapters/runtime';
import { suiteSchema } from './suite';

const text = readFileSync(fileURLToPath(new URL('./cases/runtime_scenarios.json', import.meta.url)), 'utf8');
const { cases, clock } = suiteSchema.parse(JSON.parse(text));

/** The fields that the comparison leaves out, as our loop sees them. */
function informationOf(raw: Json): Record<string, unknown> | null {
  const { outcome, executions } = runScenario(raw, clock);
  if (outcome.status === 'halted') return null;
  const { state, order } = outcome.context;
  return {
    node_execution_order: order,
    generation_id: state.worldModel.generation_id,
    control_state: { permission: state.controlState.permission, execution_mode: state.controlState.execution_mode },
    evidence_ids: state.evidenceStore.observations.map(({ id }) => id),
    system_errors: state.worldModel.observations.filter(({ id }) => id.startsWith('error-')).map(({ content }) => content),
    beliefs: state.worldModel.beliefs.map(({ statement, confidence }) => [statement, confidence]),
    contradictions: state.worldModel.contradictions.length,
    completion_history: state.strategyState.completion_history,
    risk_state_history: state.strategyState.risk_state_history,
    strategy: state.strategyState.current_strategy,
    switch_count: state.strategyState.switch_count,
    executions,
  };
}

const completed = cases.flatMap(({ id, input, expected }) =>
  isJsonObject(expected) && expected.status === 'complete' ? [{ id, input, expected }] : [],
);

test.each(completed)('$id: generations, evidence, histories and order of nodes are those of the reference too', ({ input, expected }) => {
  const information = informationOf(input);
  for (const [field, value] of Object.entries(information ?? {})) expect({ [field]: value }).toEqual({ [field]: expected[field] });
});
