import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject } from '@/harness/contract/json';
import { fact } from '@/harness/layers/shared/explain';

type Context = Pick<ExecuteContext, 'tool' | 'decide' | 'log' | 'run'>;

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-$/, '') || 'task';

async function git(context: Context, command: string): Promise<{ ok: boolean; said: string }> {
  const outcome = await context.tool('run_command', { command });
  if (outcome.status !== 'ok') return { ok: false, said: outcome.message };
  const output = isJsonObject(outcome.output) ? outcome.output : {};
  const said = typeof output.output === 'string' ? output.output : '';
  return { ok: output.exitCode === 0, said };
}

/** `branch_created` (planning.md §3). Without git, or when it refuses, the work goes on where it is. */
export async function createWorkBranch(context: Context, prefix: string, task: string): Promise<string | null> {
  const branch = `${prefix}${slug(task)}-${slug(context.run.id).slice(-8)}`;
  const base = await git(context, 'git rev-parse --abbrev-ref HEAD');
  const created = base.ok ? await git(context, `git switch -c ${branch}`) : base;
  if (!created.ok) {
    context.log('warning', `No work branch was created: ${created.said.trim().slice(0, 300)}`);
    return null;
  }
  const from = base.said.trim().split('\n').at(-1) ?? '';
  context.decide({ rule: 'branch_created', outcome: branch, because: [fact('base branch', from)] });
  return branch;
}
