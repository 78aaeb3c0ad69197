import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import type { DesignAndRisks } from '../artefacts/design';
import { fileName, mentionsPath, planPath } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { isRegressionPath } from '../guards/path-rules';
import type { ValidatorConfig } from '../validators/config';
import { isExecutable, looksLikeTest } from '../validators/context';
import { mentionOf } from '../validators/core-functionality';
import { defaultVerificationConfig, type VerificationConfig } from './config';
import { type ContractScope, firstClaim, humanInLoopTests } from './human-in-loop';

export type ContractRule =
  | 'human_in_loop_test'
  | 'no_verification_steps'
  | 'regression_reason'
  | 'regression_edited'
  | 'fake_pass'
  | 'sleeping_test'
  | 'skip_without_todo'
  | 'uncited_test'
  | 'truthiness_only'
  | 'mocks_the_unit'
  | 'unseamed_world';

export interface ContractFinding {
  rule: ContractRule;
  /** 0 when the finding is about the steps as a whole. */
  step_number: number;
  file_path: string;
  detail: string;
}

export interface ContractInput {
  steps: readonly PlanStep[];
  scope: ContractScope;
  /** What a test's reason may cite; without it citations are not asked for. */
  design?: DesignAndRisks;
  targets?: readonly string[];
  validators: ValidatorConfig;
  config?: VerificationConfig;
}

const textOf = ({ instruction, context }: PlanStep): string => `${instruction}\n${context}`;

interface TextRule {
  rule: ContractRule;
  found: RegExp;
  /** Words anywhere in the step that make it sound. */
  unless?: RegExp;
}

const textRules: readonly TextRule[] = [
  {
    rule: 'fake_pass',
    found:
      /\bassert(?:\s+|\()True\b|expect\((?:true|1)\)\.(?:toBe|toEqual|toBeTruthy)|assert(?:\.ok)?\(\s*true\s*\)|\balways (?:pass|succeed)|\bplaceholder (?:test|assert)/i,
  },
  {
    rule: 'sleeping_test',
    found:
      /\b(?:time\.)?sleep\s*\(|\bsleeps? (?:for )?\d|\bsetTimeout\s*\(|\bwaits? \d+(?:\.\d+)? ?(?:ms|milliseconds|s\b|seconds)|\bwaitForTimeout\b/i,
  },
  {
    rule: 'skip_without_todo',
    found: /\b(?:test|it|describe)\.skip\b|\bpytest\.(?:mark\.)?skip|@unittest\.skip|\bt\.Skip\(|#\[ignore\]|@(?:Disabled|Ignore)\b/,
    unless: /\bTODO\b/,
  },
  {
    rule: 'truthiness_only',
    found: /\btoBeTruthy\(|\bassertTrue\(\s*\w+\s*\)|\bassert (?!true\b|that\b|the\b)\w+\s*(?:\n|$)|\btoBeDefined\(/,
    unless: /\btoEqual\(|\btoBe\(|\bassertEqual|==|\btoStrictEqual\(|\bdeepEqual|\btoThrow/,
  },
  {
    rule: 'mocks_the_unit',
    found: /\bmock(?:s|ing)? (?:out )?the (?:unit|function|method|class|module) (?:under test|being tested|itself)/i,
  },
  {
    rule: 'unseamed_world',
    found:
      /\bDate\.now\(|\bnew Date\(\s*\)|\bdatetime\.now\(|\btime\.time\(|\bMath\.random\(|\brandom\.random\(|\breal (?:network|clock|api)\b|\bwall[- ]?clock\b/i,
    unless: /\binject|\bfak(?:e|ed|ing)\b|\bstub|\bseam|\bmonkeypatch|\bfreez|\bmock|\bseed/i,
  },
];

function citedIn(step: PlanStep, { design, targets = [] }: ContractInput): boolean {
  if (!design) return true;
  const { reason } = step;
  const files = [...targets, ...design.change_designs.map(({ file_path }) => file_path)];
  if (files.some((path) => mentionsPath(reason, path) || (fileName(path) !== '' && reason.includes(fileName(path))))) return true;
  if (design.core_functionality.some((tag) => mentionOf(tag, reason) !== null)) return true;
  return (
    /\brisks?\b/i.test(reason) ||
    design.critical_risks.some(({ risk }) => risk.trim() !== '' && reason.toLowerCase().includes(risk.toLowerCase()))
  );
}

function findingsOf(step: PlanStep, input: ContractInput): Omit<ContractFinding, 'step_number' | 'file_path'>[] {
  const found: Omit<ContractFinding, 'step_number' | 'file_path'>[] = [];
  const regression = isRegressionPath(step.file_path, input.validators.regressionPattern);
  const marked = step.reason.trimStart().startsWith('REGRESSION:');
  if (regression && !marked) found.push({ rule: 'regression_reason', detail: 'the reason of a regression test begins with "REGRESSION:"' });
  if (marked && !regression)
    found.push({ rule: 'regression_reason', detail: 'a regression test stands in a file of its own, by the regression convention' });
  for (const { rule, found: pattern, unless } of textRules) {
    const words = firstClaim(textOf(step), [pattern.source]);
    if (words !== null && unless?.test(textOf(step)) !== true) found.push({ rule, detail: `"${words}"` });
  }
  if (!citedIn(step, input)) found.push({ rule: 'uncited_test', detail: 'the reason cites no designed change, new file or critical risk' });
  return found;
}

export interface ContractReport {
  findings: ContractFinding[];
  warnings: string[];
  decision: Decision;
}

const beginning = 'test contract: ';

export const isContractWarning = (warning: string): boolean => warning.startsWith(beginning);

const warningOf = ({ rule, step_number, file_path, detail }: ContractFinding): string =>
  `${beginning}${rule}${step_number === 0 ? '' : ` in step ${step_number}${file_path === '' ? '' : ` (${file_path})`}`}: ${detail}`;

/**
 * The test contract over the wording of the steps (planning.md §9). Findings are warnings: the check reads intentions, not programs, and can be
 * wrong in either direction; each finding quotes what gave rise to it.
 */
export function checkTestContract(input: ContractInput): ContractReport {
  const { steps, scope, validators, config = defaultVerificationConfig } = input;
  const isTest = (step: PlanStep): boolean =>
    step.tool === 'create_file' &&
    (looksLikeTest(step, validators) || (scope === 'verification' && isExecutable(step.file_path, validators)));
  const tests = new Set(steps.filter(isTest));
  const of = (step: PlanStep) => ({ step_number: step.step_number, file_path: planPath(step.file_path) });
  const human = humanInLoopTests(steps, tests, { scope, config: config.humanLoop }).map(
    ({ step, words, why }): ContractFinding => ({ rule: 'human_in_loop_test', ...of(step), detail: `"${words}": ${why}` }),
  );
  const edited = steps
    .filter(({ tool, file_path }) => tool === 'edit_file' && isRegressionPath(file_path, validators.regressionPattern))
    .map((step): ContractFinding => ({ rule: 'regression_edited', ...of(step), detail: 'regression tests are not edited' }));
  const empty: ContractFinding[] =
    steps.length === 0 && scope === 'verification'
      ? [{ rule: 'no_verification_steps', step_number: 0, file_path: '', detail: 'no verification steps were given' }]
      : [];
  const worded = [...tests].flatMap((step) => findingsOf(step, input).map((finding): ContractFinding => ({ ...finding, ...of(step) })));
  const findings = [...empty, ...human, ...edited, ...worded];
  return {
    findings,
    warnings: [...new Set(findings.map(warningOf))],
    decision: decided({
      rule: 'test_contract',
      outcome: findings.length === 0 ? 'kept' : `${findings.length} finding${findings.length === 1 ? '' : 's'}`,
      because: [
        compared('findings', findings.length, '==', 0),
        fact('tests', tests.size),
        ...findings.map((finding) => fact(`${finding.rule}, step ${finding.step_number}`, finding.detail)),
      ],
    }),
  };
}
