import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { isJsonObject, type Json } from '../../contract/json';
import type { Contradiction } from '../contradiction/state';
import type { Evidence, ToolManifest } from '../evidence/state';
import type { Hypothesis } from '../hypothesis/state';
import { compared, decided, fact } from '../shared/explain';
import type { RiskLevel } from '../shared/levels';
import { type CheckName, type CheckResult, type CheckStatus, checkNames, checkTiers, checkTools, type Verification } from './state';

export const verificationConfigSchema = z.object({
  localEvidence: z.number().int().min(0).default(2).meta({ title: 'Pieces of evidence that suffice locally' }),
  globalEvidence: z.number().int().min(0).default(5).meta({ title: 'HIGH or MEDIUM pieces that suffice globally' }),
  scope: z.enum(['local', 'global']).default('local').meta({ title: 'Scope of evidence' }),
  disabled: z.array(z.enum(checkNames)).default([]).meta({ title: 'Checks left out' }),
});
export type VerificationConfig = z.output<typeof verificationConfigSchema>;
export const defaultVerificationConfig: VerificationConfig = verificationConfigSchema.parse({});

/** What a real backing found: a command that was run, or a judge that cited evidence (D9). SKIPPED says why it decided nothing. */
export interface BackedOutcome {
  status: CheckStatus;
  detail: string;
  evidenceIds?: string[];
}

export interface VerifyInput {
  result: Json;
  successCriteria: readonly string[];
  assumptions: readonly string[];
  /** `null`: there is no evidence store. */
  evidence: readonly Evidence[] | null;
  tools: ToolManifest;
  /** `null`: there is no world model. */
  contradictions: readonly Contradiction[] | null;
  /** `null`: there is no contract. */
  requiredSections: readonly string[] | null;
  risk?: RiskLevel | undefined;
  hypotheses?: readonly Hypothesis[];
  backing?: Partial<Record<CheckName, BackedOutcome>>;
  taskId?: string | undefined;
}

type Finding = { status: CheckStatus; detail: string; evidenceIds?: string[] };
const pass = (detail: string): Finding => ({ status: 'PASS', detail });
const fail = (detail: string): Finding => ({ status: 'FAIL', detail });
const skip = (detail: string): Finding => ({ status: 'SKIPPED', detail });

/** Required sections that an object result lacks; a result that is no object lacks none here (layers.md R9). */
export const missingSections = (result: Json, sections: readonly string[]): string[] =>
  isJsonObject(result) ? sections.filter((section) => !Object.hasOwn(result, section)) : [];

function evidenceFinding({ evidence }: VerifyInput, config: VerificationConfig): Finding {
  if (evidence === null) return fail('there is no evidence store');
  const global = config.scope === 'global';
  const counted = global ? evidence.filter(({ reliability }) => reliability !== 'LOW') : evidence;
  const needed = global ? config.globalEvidence : config.localEvidence;
  const detail = `${counted.length} of ${needed} pieces of evidence`;
  return {
    ...(counted.length >= needed ? pass(detail) : fail(detail)),
    evidenceIds: counted.slice(-needed || counted.length).map(({ id }) => id),
  };
}

/** The deterministic rule of a check; most can only fail or say that nothing was checked. */
function ruleOf(check: CheckName, input: VerifyInput, config: VerificationConfig): Finding {
  switch (check) {
    case 'syntax':
      return input.result === null ? fail('there is no result') : skip('no lint command configured');
    case 'unit':
      return skip('no unit test command configured');
    case 'integration':
      return skip('no integration test command configured');
    case 'goal_correctness':
      return skip('no judge configured');
    case 'requirements':
      return input.successCriteria.length > 0 && input.result === null
        ? fail('criteria are given and there is no result')
        : skip('no judge configured');
    case 'assumptions':
      return input.assumptions.length > 0 && input.result === null
        ? fail('assumptions are stated and there is no result')
        : skip('no judge configured');
    case 'consistency': {
      if (input.contradictions === null) return skip('there is no world model');
      const severe = input.contradictions.find(({ severity }) => severity === 'HIGH' || severity === 'SYSTEM_BREAKING');
      return severe ? fail(`unresolved ${severe.severity}: ${severe.description}`) : pass('no severe contradiction');
    }
    case 'evidence_sufficiency':
      return evidenceFinding(input, config);
    case 'output_contract_partial': {
      const missing = missingSections(input.result, input.requiredSections ?? []);
      return missing.length > 0
        ? fail(`lacks ${missing.join(', ')}`)
        : pass(input.requiredSections === null ? 'no contract' : 'nothing required is missing');
    }
  }
}

function check(name: CheckName, input: VerifyInput, config: VerificationConfig): CheckResult {
  const unavailable = input.tools[checkTools[name]]?.available === false;
  const backed = input.backing?.[name];
  const finding: Finding = config.disabled.includes(name)
    ? skip('left out')
    : unavailable
      ? skip(`${checkTools[name]} is not available`)
      : backed && backed.status !== 'SKIPPED'
        ? backed
        : undecided(ruleOf(name, input, config), backed);
  return { check: name, tier: checkTiers[name], status: finding.status, detail: finding.detail, evidence_ids: finding.evidenceIds ?? [] };
}

/** A backing that decided nothing leaves the rule standing, and says why where the rule has nothing to say either. */
const undecided = (rule: Finding, backed: BackedOutcome | undefined): Finding =>
  backed && rule.status === 'SKIPPED' ? skip(backed.detail) : rule;

/** The best hypothesis at HIGH risk must survive the result (layers.md R9); `null` at lower risk. */
export function adversarialOutcome({ risk, hypotheses = [], result }: Pick<VerifyInput, 'risk' | 'hypotheses' | 'result'>): boolean | null {
  if (risk !== 'HIGH') return null;
  const top = hypotheses.reduce<Hypothesis | null>(
    (best, hypothesis) => (best === null || hypothesis.confidence > best.confidence ? hypothesis : best),
    null,
  );
  if (top === null || top.predicted_observations.length === 0) return true;
  return result !== null && !(isJsonObject(result) && Boolean(result.adversarial_failure));
}

/** Runs all nine checks. SKIPPED says "not verified" and is never a pass (layers.md R9, D9). */
export function verify(
  input: VerifyInput,
  config: VerificationConfig = defaultVerificationConfig,
): { verification: Verification; decisions: Decision[] } {
  const checks = checkNames.map((name) => check(name, input, config));
  const failed = checks.filter(({ status }) => status === 'FAIL');
  const verification: Verification = {
    checks,
    has_critical_failure: failed.length > 0,
    critical_failure_tiers: [...new Set(failed.map(({ tier }) => tier))].sort(),
    adversarial_passed: adversarialOutcome(input),
    verified: checks.filter(({ status }) => status === 'PASS').length,
    ...(input.taskId === undefined ? {} : { task_id: input.taskId }),
  };
  const decisions = [
    decided({
      rule: failed.length > 0 ? `verification: ${failed.map(({ check: name }) => name).join(', ')} failed` : 'nine checks',
      outcome: failed.length > 0 ? 'fail' : 'pass',
      because: [
        ...checks.map(({ check: name, status, detail }) => fact(name, `${status} (${detail})`)),
        compared('failed checks', failed.length, '==', 0),
      ],
      alternatives:
        failed.length > 0 ? [{ outcome: 'pass', needs: failed.map(({ check: name, detail }) => `${name}: ${detail}`).join('; ') }] : [],
      note: `${verification.verified} verified, ${checks.filter(({ status }) => status === 'SKIPPED').length} not verified`,
    }),
  ];
  return { verification, decisions };
}

/** After an execution: the contract holds as far as it can be seen and nothing failed (layers.md R9). */
export const postExecutionGate = (
  result: Json,
  requiredSections: readonly string[],
  verification: Pick<Verification, 'has_critical_failure'>,
): boolean => missingSections(result, requiredSections).length === 0 && !verification.has_critical_failure;
