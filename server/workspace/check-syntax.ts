import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessResult, runProcess } from './run-process';
import type { WorkspaceFacts } from './workspace-facts';

const maxFiles = 200;
const maxBytes = 2_000_000;
const atOnce = 4;

export interface SyntaxPlan {
  /** What is run, as it is shown. */
  command: string;
  reason: string;
  files: string[];
  language: 'javascript' | 'python';
}

const left = (all: number): string => (all > maxFiles ? ` (the first ${maxFiles} of ${all})` : '');

/** The check of last resort: whether the files parse. `only` narrows it to files that changed. */
export async function planSyntax(facts: WorkspaceFacts, only: ReadonlySet<string> | null): Promise<SyntaxPlan | null> {
  const wanted = only === null ? facts.files : facts.files.filter((path) => only.has(path));
  const scripts = wanted.filter((path) => /\.[cm]?js$/.test(path));
  if (scripts.length > 0) {
    const reason = `no linter was found, so ${scripts.length} JavaScript files${left(scripts.length)} are parsed`;
    return { command: 'node --check', reason, files: scripts.slice(0, maxFiles), language: 'javascript' };
  }
  const python = wanted.filter((path) => path.endsWith('.py'));
  if (python.length > 0 && (await facts.runnable('python3'))) {
    const reason = `no linter was found, so ${python.length} Python files${left(python.length)} are compiled`;
    return { command: 'python3 -m py_compile', reason, files: python.slice(0, maxFiles), language: 'python' };
  }
  return null;
}

export interface SyntaxRequest {
  folder: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Parses every file of the plan. The exit code is the first one that is not 0. */
export async function checkSyntax(plan: SyntaxPlan, request: SyntaxRequest): Promise<ProcessResult> {
  if (plan.language === 'python') {
    const files = plan.files.map((path) => `./${path}`);
    return runProcess({ ...request, argv: ['python3', '-m', 'py_compile', ...files] });
  }
  const staging = await mkdtemp(join(tmpdir(), 'bridle-syntax-'));
  try {
    return await checkScripts(plan.files, request, staging);
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A statement that only a module may have. */
const moduleSyntax = /^\s*(?:import\s*(?:[\w*{"']|$)|export\s*(?:[\w*{]|$))/m;

async function checkScripts(files: readonly string[], request: SyntaxRequest, staging: string): Promise<ProcessResult> {
  const results: (ProcessResult | undefined)[] = files.map(() => undefined);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < files.length) {
      const at = next;
      next += 1;
      const path = files[at] ?? '';
      const place = join(request.folder, path);
      if (((await stat(place).catch(() => null))?.size ?? maxBytes + 1) > maxBytes) continue;
      const source = await readFile(place, 'utf8');
      // Node passes a `.js` file with both module syntax and a mistake; by the name `.mjs` it does not.
      const asModule = path.endsWith('.js') && moduleSyntax.test(source);
      const staged = join(staging, `${at}.mjs`);
      if (asModule) await writeFile(staged, source);
      const result = await runProcess({ ...request, argv: ['node', '--check', asModule ? staged : `./${path}`] });
      results[at] = { ...result, output: result.output.replaceAll(staged, path).replaceAll(`${request.folder}/`, '') };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const bad = results.filter((result) => result !== undefined && result.exitCode !== 0);
  const output = bad.map((result) => result?.output ?? '').join('\n');
  const worst = bad[0];
  return {
    exitCode: worst === undefined ? 0 : worst.exitCode,
    signal: worst?.signal ?? null,
    ended: worst?.ended ?? null,
    output: worst === undefined ? `${results.filter(Boolean).length} files parse.` : output,
    outputBytes: output.length,
    truncated: false,
  };
}
