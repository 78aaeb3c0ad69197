import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { Json } from '../../contract/json';
import { stableJson } from '../../flow/stable-json';
import { pathsOf } from '../execution/change';
import { defaultSymptomTable, symptomRuleSchema, systemErrorText } from '../execution/symptoms';
import { reliabilitySchema } from '../shared/levels';
import { applyToolReliability, type EvidenceConfig, type EvidenceInput, evidenceConfigSchema, gatherEvidence } from './gather';
import type { Evidence, EvidenceStore } from './state';

/** How calls of tools and finished tasks become evidence (layers.md R2, R8). */
export const toolEvidenceConfigSchema = z.object({
  ...evidenceConfigSchema.shape,
  toolReliability: reliabilitySchema.default('HIGH').meta({
    title: 'Reliability of a tool’s answer',
    description: 'Before the ceiling of the tool is applied.',
  }),
  executionReliability: reliabilitySchema.default('HIGH').meta({ title: 'Reliability of “this task was executed”' }),
  resultReliability: reliabilitySchema.default('MEDIUM').meta({ title: 'Reliability of a task’s result' }),
  resultChars: z.int().min(20).max(10_000).default(200).meta({ title: 'Characters of a result that are kept' }),
  toolChars: z.int().min(20).max(20_000).default(600).meta({ title: 'Characters of a tool’s answer that are kept' }),
  symptoms: z
    .array(symptomRuleSchema.meta({ title: 'Symptom' }))
    .default(defaultSymptomTable)
    .meta({
      title: 'Symptoms of errors',
      description: 'The first rule with a pattern in the error names it. Patterns are regular expressions, case ignored.',
    }),
});
export type ToolEvidenceConfig = z.output<typeof toolEvidenceConfigSchema>;
export const defaultToolEvidenceConfig: ToolEvidenceConfig = toolEvidenceConfigSchema.parse({});

/** One call of a tool, whoever made it. */
export interface CalledTool {
  id: string;
  tool: string;
  input: Json;
  status: 'ok' | 'denied' | 'failed';
  output: Json;
  at: string;
  task_id: string | null;
  /** Paths it wrote, when it wrote any. */
  paths?: readonly string[];
}

/** A task that ended, as far as evidence speaks of it. */
export interface EndedTask {
  id: string;
  description: string;
  step: number;
  at: string;
  outcome: { status: 'done'; output: Json } | { status: 'failed'; error: string; systemError: boolean };
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

/** An answer is observed, a failure is a system error with its symptom, a refusal is observed as one. */
export function evidenceOfCall(call: CalledTool, config: ToolEvidenceConfig): EvidenceInput {
  const asked = cut(stableJson(call.input), 160);
  const answer = textOf(call.output);
  const about = [...new Set([...(call.paths ?? []), ...pathsOf(call.input), ...pathsOf(call.output)])];
  const base = { id: call.id, source: call.tool, freshness: call.at, task_id: call.task_id ?? undefined, paths: about };
  if (call.status === 'failed')
    return {
      ...base,
      evidence_type: 'SYSTEM_ERROR',
      obs: `${call.tool} ${asked}: ${cut(systemErrorText(answer, config.symptoms), config.toolChars)}`,
    };
  const obs =
    call.status === 'ok'
      ? `${call.tool} ${asked}: ${cut(answer, config.toolChars)}`
      : `${call.tool} ${asked} was refused: ${cut(answer, config.toolChars)}`;
  return { ...base, evidence_type: 'OBSERVATION', reliability: config.toolReliability, obs };
}

/** `exec-<task>-<step>` and `result-<task>-<step>` of a finished task; `error-<task>-<step>` of one that a system error ended. */
export function evidenceOfTask(task: EndedTask, config: ToolEvidenceConfig): EvidenceInput[] {
  const { id, step, outcome } = task;
  const base = { freshness: task.at, task_id: id };
  if (outcome.status === 'failed') {
    if (!outcome.systemError) return [];
    const obs = cut(systemErrorText(outcome.error, config.symptoms), config.toolChars);
    return [{ ...base, id: `error-${id}-${step}`, obs, source: 'execution_engine', evidence_type: 'SYSTEM_ERROR' }];
  }
  return [
    {
      ...base,
      id: `exec-${id}-${step}`,
      obs: `Task executed: ${task.description}`,
      source: 'execution_engine',
      evidence_type: 'OBSERVATION',
      reliability: config.executionReliability,
    },
    {
      ...base,
      id: `result-${id}-${step}`,
      obs: `Result: ${textOf(outcome.output).slice(0, config.resultChars)}`,
      source: 'result_inspection',
      evidence_type: 'OBSERVATION',
      reliability: config.resultReliability,
    },
  ];
}

/**
 * Collects evidence and caps each piece by the ceiling of its tool. An id that is recorded already is passed over, so that looking at the
 * same call twice adds nothing. Of the decisions only those that say something are kept: what was collected or not, and what was capped.
 */
export function collect(
  store: EvidenceStore,
  inputs: readonly EvidenceInput[],
  config: EvidenceConfig,
): { store: EvidenceStore; added: Evidence[]; refused: string[]; decisions: Decision[] } {
  const known = new Set(store.observations.map(({ id }) => id));
  const added: Evidence[] = [];
  const refused: string[] = [];
  const decisions: Decision[] = [];
  let next = store;
  for (const input of inputs) {
    if (known.has(input.id)) continue;
    known.add(input.id);
    const gathered = gatherEvidence(next, input, config);
    if (gathered.evidence === null) {
      refused.push(input.source);
      decisions.push(gathered.decision);
      continue;
    }
    const capped = applyToolReliability(gathered.store, gathered.evidence, config);
    next = capped.store;
    added.push(capped.evidence);
    decisions.push(capped.evidence === gathered.evidence ? gathered.decision : capped.decision);
  }
  return { store: next, added, refused, decisions };
}
