import { isJsonObject, type Json } from '@/harness/contract/json';
import { pathsOf } from '@/harness/layers/execution/change';
import { planPath, uniquePaths } from '@/harness/planning/artefacts/paths';
import { writeTools } from '@/harness/planning/artefacts/plan-step';
import type { StepCall } from '@/harness/planning/execution/step-outcome';
import type { LoopCall } from '../support/loop-calls';

const statuses = { ok: 'ran', denied: 'refused', failed: 'error' } as const;

/** The file that a call is about: what the tool says it wrote, else what it was asked for. */
function fileOf({ arguments: given, paths }: Pick<LoopCall, 'arguments' | 'paths'>): string | null {
  const [named] = isJsonObject(given) ? pathsOf(given) : [];
  return named ?? paths[0] ?? null;
}

/** The command did not end by itself: it was stopped or killed. */
const brokenOff = (output: Json): boolean =>
  isJsonObject(output) && (output.timedOut === true || (typeof output.signal === 'string' && output.signal !== ''));

/** What the calls of a loop came to, as a step is judged by them. Verdicts come from status and exit code, never from text (decision P8). */
export const stepCalls = (calls: readonly LoopCall[], root: string | null = null): StepCall[] =>
  calls.map((call): StepCall => {
    const path = fileOf(call);
    const ran = isJsonObject(call.output) && typeof call.output.exitCode === 'number';
    return {
      tool: call.name,
      status: statuses[call.status],
      ...(path === null ? {} : { file_path: relative(path, root) }),
      ...(ran ? { exit_code: brokenOff(call.output) ? null : call.exit_code } : {}),
    };
  });

/** Plans name files relative to the workspace; a model may name them by their whole path. */
function relative(path: string, root: string | null): string {
  const plain = planPath(path);
  const start = root === null ? null : `${planPath(root)}/`;
  return start !== null && plain.startsWith(start) ? plain.slice(start.length) : plain;
}

/** Files that the calls changed, those of commands included, each once. */
export const changedPaths = (calls: readonly LoopCall[], root: string | null = null): string[] =>
  uniquePaths(calls.filter(({ status }) => status === 'ok').flatMap(({ paths }) => paths.map((path) => relative(path, root))));

/** Files that came into being by a call of `create_file`. */
export const createdPaths = (calls: readonly LoopCall[], root: string | null = null): string[] =>
  uniquePaths(
    calls
      .filter(
        ({ name, status, output }) => name === 'create_file' && status === 'ok' && !(isJsonObject(output) && output.created === false),
      )
      .map((call) => relative(fileOf(call) ?? '', root)),
  );

/** Calls that ran tests or linters, for the trace. */
export const checkCalls = (calls: readonly LoopCall[]): LoopCall[] =>
  calls.filter(({ name, exit_code }) => exit_code !== null && !writeTools.includes(name));
