import type { Reason } from '@/harness/contract/decision';
import { implementNode } from '@/harness/contract/execute';
import { weigh } from '../../support/conditions';
import { branch } from './node';

export const executeBranch = implementNode(branch, (context) => {
  const because: Reason[] = [];
  let taken: string | undefined;
  for (const entry of context.config.cases) {
    const condition = weigh(context, entry.when);
    because.push(
      { name: `case ${entry.id}`, value: entry.when, operator: 'is', threshold: true, holds: condition.holds },
      ...condition.because,
    );
    if (condition.holds) {
      taken = entry.id;
      break;
    }
  }
  const port = taken ?? 'else';
  const asked = new Set(because.map((reason) => reason.name));
  const others = context.config.cases.filter((entry) => entry.id !== port);
  context.decide({
    rule: taken === undefined ? 'no case holds' : 'first case that holds',
    outcome: port,
    because,
    alternatives: others.map((entry) => ({
      outcome: entry.id,
      needs: asked.has(`case ${entry.id}`) ? `${entry.when} to be true` : `every case before it to be false and ${entry.when} to be true`,
    })),
  });
  // passed on as it is: wrapped, it would grow a level with every round of a loop
  return { port, output: context.received };
});
