import type { Reason } from '@/harness/contract/decision';
import { userError } from '@/harness/contract/errors';
import { implementNode } from '@/harness/contract/execute';
import { weigh } from '../../support/conditions';
import { fork } from './node';

export const executeFork = implementNode(fork, (context) => {
  const because: Reason[] = [];
  const ports: string[] = [];
  for (const entry of context.config.branches) {
    const condition = entry.when.trim() === '' ? { holds: true, because: [] } : weigh(context, entry.when);
    if (condition.holds) ports.push(entry.id);
    because.push({ name: `branch ${entry.id}`, value: entry.when || 'always', holds: condition.holds }, ...condition.because);
  }
  if (ports.length === 0) {
    throw userError('FORK_EMPTY', `No branch of "${context.node.label}" has a condition that holds. Add a branch without a condition.`);
  }
  const skipped = context.config.branches.filter((entry) => !ports.includes(entry.id));
  context.decide({
    rule: 'branches whose condition holds',
    outcome: ports.join(', '),
    because,
    alternatives: skipped.map((entry) => ({ outcome: entry.id, needs: `${entry.when} to be true` })),
  });
  return { ports, output: context.received };
});
