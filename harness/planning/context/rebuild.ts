import { z } from 'zod';
import type { ChatMessage } from '../../contract/model';
import type { FileObservation } from '../artefacts/file-summary';
import { renderObservation } from '../artefacts/render-file-summary';
import { defaultWindowShares, newestWithin, shareInCharacters, type WindowShares } from './tokens';

const text = (title: string, initial: string) => z.string().min(1).default(initial).meta({ title });

export const rebuildConfigSchema = z.object({
  resume: text(
    'Words with which the work is taken up again',
    'The conversation was rebuilt from what is on record. Go on from there: do not repeat what is done, and do not read again what is listed as explored unless it has changed.',
  ),
  maxExplored: z.int().min(0).default(200).meta({ title: 'Most explored files listed' }),
});
export type RebuildConfig = z.output<typeof rebuildConfigSchema>;
export const defaultRebuildConfig: RebuildConfig = rebuildConfigSchema.parse({});

/** What is on record. The first two messages are the phase's own; the rest is read from disk. */
export interface LoopRecord {
  system: string;
  user: string;
  observations: readonly FileObservation[];
  journal: string;
  scratchpad: string;
  explored: readonly string[];
  /** Tokens of the window; null = nothing is cut. */
  window: number | null;
}

/** Files a conversation has read or looked for, oldest first, each once: from the arguments of its calls. */
export function exploredFiles(
  messages: readonly ChatMessage[],
  tools: readonly string[] = ['read_file', 'grep_files', 'list_directory', 'directory_tree'],
): string[] {
  const files = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) {
      const input = call.arguments;
      if (!tools.includes(call.name) || typeof input !== 'object' || input === null || Array.isArray(input)) continue;
      const path = input.file_path ?? input.path;
      if (typeof path === 'string' && path !== '') files.add(path);
    }
  }
  return [...files];
}

/**
 * The conversation after a refresh: system and user prompt as they were, then one message with observations, journal, scratchpad, explored
 * files and how to go on (planning.md §6). Journal and scratchpad keep their newest part within 3 % and 5 % of the window.
 */
export function rebuildMessages(
  record: LoopRecord,
  config: RebuildConfig = defaultRebuildConfig,
  shares: WindowShares = defaultWindowShares,
): ChatMessage[] {
  const within = (value: string, share: number): string =>
    record.window === null ? value : newestWithin(value, shareInCharacters(record.window, share));
  const explored = [...new Set(record.explored)];
  const listed = explored.slice(Math.max(0, explored.length - config.maxExplored));
  const left = explored.length - listed.length;
  const part = (title: string, body: string): string[] => (body.trim() === '' ? [] : [`## ${title}\n${body}`]);
  const parts = [
    ...part('Recorded observations (do not record them again)', record.observations.map(renderObservation).join('\n\n')),
    ...part('Journal', within(record.journal, shares.journal)),
    ...part('Scratchpad', within(record.scratchpad, shares.scratchpad)),
    ...part(
      'Files already explored',
      [...(left > 0 ? [`(${left} earlier ones not listed)`] : []), ...listed.map((path) => `- ${path}`)].join('\n'),
    ),
    `## How to go on\n${config.resume}`,
  ];
  return [
    ...(record.system === '' ? [] : [{ role: 'system' as const, content: record.system }]),
    { role: 'user', content: record.user },
    { role: 'user', content: parts.join('\n\n') },
  ];
}
