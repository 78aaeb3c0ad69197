import { compared, fact } from '../../layers/shared/explain';
import { planPath } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { isRegressionPath } from '../guards/path-rules';
import { allSteps, type Check } from './context';
import { demandingTags, mentionOf } from './core-functionality';

/** The whole test suite can be run: the workspace has a command for it. */
export const fullSuiteCommand: Check = {
  title: 'A command for the full test suite',
  run({ commands, plan }) {
    const command = commands?.test.trim() ?? '';
    const runs = plan.steps.filter(({ tool }) => tool === 'run_tests').length;
    return {
      warnings: command === '' ? ['no command for the full test suite is known'] : [],
      because: [fact('test command', command), fact('run_tests steps', runs)],
    };
  },
};

const vague = /\b(?:verify|test\s+that|check\s+that|ensure|make\s+sure|confirm)\b/i;
const quoted = /`[^`\n]+`/;
const command =
  /(?:^|[\s;&|])(?:npm|npx|pnpm|yarn|node|deno|bun|python3?|pytest|tox|go|cargo|make|mvn|gradle|\.\/\w|dotnet|php|composer|bundle|rspec|rake|curl|git|docker|bash|sh)\s+\S/;

/** What a step promises to check, with whatever makes it concrete. */
function promisesOf(step: PlanStep): { text: string; concrete: boolean }[] {
  const own = (step.contract?.success_checks ?? []).map(({ description, tool, command: given }) => ({
    text: description,
    concrete: tool.trim() !== '' || given.trim() !== '' || quoted.test(description) || command.test(description),
  }));
  if (step.tool !== 'run_command') return own;
  return [...own, { text: step.instruction, concrete: quoted.test(step.instruction) || command.test(step.instruction) }];
}

/** A check says by which tool or command it is made; "verify that it works" is none. */
export const specificChecks: Check = {
  title: 'Success checks are specific',
  run(context) {
    const promises = allSteps(context).flatMap((step) => promisesOf(step).map((promise) => ({ step, ...promise })));
    const loose = promises.filter(({ text, concrete }) => !concrete && vague.test(text));
    return {
      warnings: loose.map(({ step, text }) => `step ${step.step_number} has a vague check: ${text.trim().slice(0, 120)}`),
      because: [compared('vague checks', loose.length, '==', 0), fact('checks', promises.length)],
    };
  },
};

const flavour = /\bregression\b/i;

/** Each core tag has a check that runs something regression-flavoured about it. */
export const coreRegressionCheck: Check = {
  title: 'Core functionality has a regression check',
  run(context) {
    const tags = demandingTags(context);
    const texts = allSteps(context).flatMap((step) => [
      ...(step.contract?.success_checks ?? []).map((check) => Object.values(check).join('\n')),
      ...(['run_tests', 'run_command'].includes(step.tool) || isRegressionPath(step.file_path, context.config.regressionPattern)
        ? [[planPath(step.file_path), step.instruction, step.reason, step.context].join('\n')]
        : []),
    ]);
    const lacking = tags.filter(
      (tag) => !texts.some((text) => flavour.test(text.replaceAll(/[_/]/g, ' ')) && mentionOf(tag, text) !== null),
    );
    return {
      warnings: lacking.map(
        ({ entity, file_path }) => `core-functionality tag has no regression check: ${entity} (${planPath(file_path)})`,
      ),
      because: [compared('core tags without a regression check', lacking.length, '==', 0), fact('core tags', tags.length)],
    };
  },
};
