import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { operationalError, userError } from '@/harness/contract/errors';
import { parseJson } from '../models/json-text';
import { defineTool } from './define-tool';
import { requireWorkspace, resolveInside } from './workspace-root';

const timeLimitMs = 20_000;
const maxTextCharacters = 400;

// ripgrep writes text as UTF-8, or as base64 `bytes` where it is not.
const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const matchSchema = z.object({
  type: z.literal('match'),
  data: z.object({ path: textSchema, lines: textSchema, line_number: z.number() }),
});

const textOf = (value: z.output<typeof textSchema>): string =>
  'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString('utf8');

/** Resolved late: the package throws on a machine it has no binary for, and only this tool should fail then. */
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    throw operationalError('TOOL_FAILED', 'ripgrep is not installed for this machine. Run npm install again, with optional packages.');
  }
}

export const grepFiles = defineTool({
  name: 'grep_files',
  title: 'Search files',
  description:
    'Searches the text files of the workspace for a regular expression. Hidden and git-ignored files are left out. Gives path, line and text of each hit.',
  effect: 'read',
  ceiling: 'LOW',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Regular expression (Rust syntax), or plain text with literal.'),
    path: z.string().max(4096).default('.').describe('Folder or file to search, relative to the workspace.'),
    glob: z.string().max(300).optional().describe('Only files that match, such as "*.ts" or "!*.test.ts".'),
    literal: z.boolean().default(false).describe('Take the pattern as plain text.'),
    caseSensitive: z.boolean().default(false),
    maxHits: z.int().min(1).max(500).default(100),
  }),
  output: z.object({
    hits: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
    truncated: z.boolean(),
  }),
  async run(input, context) {
    const workspace = requireWorkspace(context.workspace);
    const [place, root] = await Promise.all([resolveInside(workspace, input.path), resolveInside(workspace, '.')]);
    const args = [
      '--no-config',
      '--json',
      '--no-require-git',
      '--no-ignore-parent',
      '--no-ignore-global',
      '--no-follow',
      '--max-filesize',
      '5M',
      '--sort',
      'path',
      input.caseSensitive ? '--case-sensitive' : '--ignore-case',
      ...(input.literal ? ['--fixed-strings'] : []),
      ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
      `--regexp=${input.pattern}`,
      '--',
      place.name === '.' ? './' : `./${place.name}`,
    ];
    // No shell: every argument reaches ripgrep as it is. A minimal environment keeps its own variables out.
    const child = spawn(/* turbopackIgnore: true */ await ripgrepPath(), args, {
      cwd: root.absolute,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH ?? '' },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs);
    const stop = (): void => void child.kill('SIGKILL');
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      return await collect(child, input.maxHits, input.pattern);
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', stop);
      child.kill('SIGKILL');
    }
  },
});

type Hits = { hits: { path: string; line: number; text: string }[]; truncated: boolean };

async function collect(child: ChildProcess, maxHits: number, pattern: string): Promise<Hits> {
  const hits: Hits['hits'] = [];
  let complaint = '';
  let truncated = false;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < 2000) complaint += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Whoever awaits it below sees the rejection; this keeps it from being reported as unhandled while lines are read.
  ended.catch(() => undefined);
  if (child.stdout) {
    for await (const row of createInterface({ input: child.stdout })) {
      const json = parseJson(row);
      const match = json.ok ? matchSchema.safeParse(json.value) : null;
      if (match?.success !== true) continue;
      if (hits.length >= maxHits) {
        truncated = true;
        child.kill('SIGKILL');
        break;
      }
      const { path, lines, line_number: line } = match.data.data;
      const text = textOf(lines).replace(/[\r\n]+$/, '');
      hits.push({
        path: textOf(path).replace(/^\.\//, ''),
        line,
        text: text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text,
      });
    }
  }
  const code = await ended;
  if (truncated || code === 0 || code === 1) return { hits, truncated };
  if (code === null)
    throw operationalError('TOOL_TIMEOUT', `The search took longer than ${timeLimitMs / 1000} seconds. Search a smaller folder.`);
  if (/regex parse error|error parsing glob/i.test(complaint)) {
    throw userError(
      'TOOL_INPUT',
      `The pattern "${pattern}" cannot be used: ${complaint.trim().split('\n').slice(-1)[0] ?? 'it does not parse'}`,
    );
  }
  // Code 2 with hits means that some files could not be read; what was found stands.
  if (hits.length > 0) return { hits, truncated: true };
  throw operationalError('TOOL_FAILED', 'The search failed; some of the files may not be readable.');
}
