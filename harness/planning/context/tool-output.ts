import { z } from 'zod';
import { charactersOf } from './tokens';

const tools = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

export const toolOutputConfigSchema = z.object({
  inlineLimit: z.int().min(0).default(2000).meta({ title: 'Characters of a command’s output that are shown whole' }),
  tailLines: z.int().min(1).default(40).meta({ title: 'Last lines shown of a longer one' }),
  inlineTools: tools('Tools whose longer output goes to a file', ['run_command', 'run_tests', 'run_lint', 'format_code']),
  folder: z.string().min(1).default('.bridle/tool_output').meta({ title: 'Folder of those files' }),
  keepMs: z.int().min(0).default(3_600_000).meta({ title: 'How long they are kept, milliseconds' }),
  compressTools: tools('Tools whose large output the worker model compresses', [
    'read_file',
    'grep_files',
    'run_tests',
    'run_lint',
    'run_command',
    'search_internet',
    'fetch_url',
  ]),
  compressOver: z.number().min(0).max(1).default(0.05).meta({ title: 'Size from which it does, share of the window' }),
  compressedTokens: z.int().min(1).default(1024).meta({ title: 'Most tokens of compressed output' }),
  acceptedOver: z.int().min(0).default(50).meta({ title: 'Characters compressed output must exceed' }),
});
export type ToolOutputConfig = z.output<typeof toolOutputConfigSchema>;
export const defaultToolOutputConfig: ToolOutputConfig = toolOutputConfigSchema.parse({});

/** What a tool gave. The verdict is in `status` and `exit_code`, out of band; the text is never asked for it (P8). */
export interface ToolOutput {
  tool: string;
  text: string;
  status: 'ok' | 'failed' | 'denied';
  exit_code: number | null;
}

export interface ToolOutputPlan {
  output: ToolOutput;
  /** First line of the reply; empty for a tool that passed and shows its text as it is. */
  verdict: string;
  /** To be written before the model is told of it. */
  save: { path: string; content: string } | null;
  /** To be put to the worker model. */
  compress: { input: string; maxOutputTokens: number } | null;
  /** Characters the text may have when it is cut instead of compressed. */
  room: number;
}

const isError = (text: string): boolean => text.startsWith('ERROR:');

function verdictOf({ status, exit_code }: ToolOutput): string {
  if (status === 'denied') return '';
  const failed = status === 'failed' || (exit_code !== null && exit_code !== 0);
  return failed ? `FAILED (exit code ${exit_code ?? 'unknown'})` : '';
}

/** Whether the worker model compresses an output: a tool of the list, more than 5 % of the window, never an `ERROR:` (planning.md §13). */
export const compresses = (output: ToolOutput, window: number | null, config: ToolOutputConfig = defaultToolOutputConfig): boolean =>
  window !== null &&
  config.compressTools.includes(output.tool) &&
  !isError(output.text) &&
  output.text.length > charactersOf(window * config.compressOver);

/** Name of the file for a long output; the tool's name is made safe for it. `at` is milliseconds since the epoch. */
export const outputPath = (tool: string, at: number, config: ToolOutputConfig = defaultToolOutputConfig): string =>
  `${config.folder}/${tool.replace(/[^A-Za-z0-9_-]/g, '_')}_${at}.txt`;

/** The first half of showing an output: what to save and what to put to the worker model. */
export function planToolOutput(
  output: ToolOutput,
  facts: { window: number | null; at: number },
  config: ToolOutputConfig = defaultToolOutputConfig,
): ToolOutputPlan {
  const long = config.inlineTools.includes(output.tool) && !isError(output.text) && output.text.length > config.inlineLimit;
  const room = facts.window === null ? Number.POSITIVE_INFINITY : charactersOf(facts.window * config.compressOver);
  return {
    output,
    verdict: isError(output.text) ? '' : verdictOf(output),
    save: long ? { path: outputPath(output.tool, facts.at, config), content: output.text } : null,
    compress: compresses(output, facts.window, config) ? { input: output.text, maxOutputTokens: config.compressedTokens } : null,
    room,
  };
}

/** The last lines of a text. A final line break begins no line. */
export function lastLines(text: string, count: number): string {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  return lines.slice(-count).join('\n');
}

/** The second half: what the model is shown. `compressed` is the worker's answer, `null` when it gave none. */
export function toolReply(plan: ToolOutputPlan, compressed: string | null, config: ToolOutputConfig = defaultToolOutputConfig): string {
  const { text } = plan.output;
  const failed = plan.verdict !== '';
  const head = failed ? [plan.verdict] : [];
  const accepted = plan.compress !== null && compressed !== null && compressed.trim().length > config.acceptedOver;
  if (plan.save !== null) {
    const tail = lastLines(text, config.tailLines);
    // Forty lines can still be longer than all the rest of the window.
    const shown = accepted ? compressed : tail.slice(-Math.min(plan.room, Number.MAX_SAFE_INTEGER));
    const lead = failed ? ' You must read the file before diagnosing.' : '';
    const what = accepted ? 'Compressed' : `Last ${config.tailLines} lines`;
    return [...head, `Full output (${text.length} characters): ${plan.save.path}.${lead}`, `${what}:`, shown].join('\n');
  }
  if (accepted) return [...head, `[compressed from ${text.length} characters]`, compressed].join('\n');
  if (plan.compress === null) return [...head, text].join('\n');
  return [...head, text.slice(0, plan.room), `[cut after ${plan.room} of ${text.length} characters]`].join('\n');
}

/** Saved outputs that are old enough to be removed, by the time in their name. Other files are left alone. */
export const expiredOutputs = (names: readonly string[], now: number, config: ToolOutputConfig = defaultToolOutputConfig): string[] =>
  names.filter((name) => {
    const at = /_(\d+)\.txt$/.exec(name)?.[1];
    return at !== undefined && now - Number(at) > config.keepMs;
  });
