import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { fenced } from '../artefacts/markdown';
import { planPath } from '../artefacts/paths';
import { charactersOf } from '../context/tokens';

export const artefactStoreConfigSchema = z.object({
  artefactPct: z.number().min(0).max(100).default(10).meta({ title: 'Files of finished steps, percent of the context window' }),
});
export type ArtefactStoreConfig = z.output<typeof artefactStoreConfigSchema>;
export const defaultArtefactStoreConfig: ArtefactStoreConfig = artefactStoreConfigSchema.parse({});

export const storedFileSchema = z.object({
  path: z.string(),
  /** `null`: too large for the whole budget; only its size is told. */
  content: z.string().nullable(),
  bytes: z.int().min(0),
  step_number: z.int(),
});

/** Files as steps left them, oldest first; their contents never exceed the budget of UTF-8 bytes. */
export const artefactStoreSchema = z.object({
  budget: z.int().min(0),
  files: z.array(storedFileSchema).default([]),
  evicted: z.array(z.string()).default([]),
});
export type ArtefactStore = z.output<typeof artefactStoreSchema>;

/** Bytes that the files of finished steps may take in a window of so many tokens (planning.md §0: 3.5 characters to a token). */
export const artefactBudget = (windowTokens: number, config: ArtefactStoreConfig = defaultArtefactStoreConfig): number =>
  charactersOf((windowTokens * config.artefactPct) / 100);

export const emptyArtefactStore = (budget: number): ArtefactStore => ({ budget, files: [], evicted: [] });

export const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

/** A file as it is on disk after a step; `content` is `null` when it is gone. */
export interface ReadBack {
  path: string;
  content: string | null;
}

export const storedBytes = ({ files }: ArtefactStore): number =>
  files.reduce((sum, { content, bytes }) => sum + (content === null ? 0 : bytes), 0);

export interface Stored {
  store: ArtefactStore;
  decision: Decision;
}

/**
 * Takes in the files that a step changed, as read back from disk (planning.md §13). A file written again becomes the newest; when the budget is
 * exceeded the oldest go; a file larger than the whole budget drives out nobody and is only named.
 */
export function storeFiles(store: ArtefactStore, stepNumber: number, changed: readonly ReadBack[]): Stored {
  let files = store.files;
  const tooLarge: string[] = [];
  for (const { path: given, content } of changed) {
    const path = planPath(given);
    files = files.filter((file) => file.path !== path);
    if (content === null) continue;
    const bytes = utf8Bytes(content);
    const fits = bytes <= store.budget;
    if (!fits) tooLarge.push(path);
    files = [...files, { path, content: fits ? content : null, bytes, step_number: stepNumber }];
  }
  const evicted: string[] = [];
  let total = storedBytes({ ...store, files });
  const before = total;
  const kept = files.filter((file) => {
    if (file.content === null || total <= store.budget) return true;
    total -= file.bytes;
    evicted.push(file.path);
    return false;
  });
  const present = new Set(kept.map(({ path }) => path));
  const gone = [...store.evicted, ...evicted].filter((path, at, all) => !present.has(path) && all.indexOf(path) === at);
  return {
    store: { ...store, files: kept, evicted: gone },
    decision: decided({
      rule: 'artefacts_stored',
      outcome: evicted.length === 0 ? `${changed.length} taken in` : `${changed.length} taken in, ${evicted.length} evicted`,
      because: [
        compared('bytes before eviction', before, '<=', store.budget),
        fact('bytes kept', total),
        ...(evicted.length === 0 ? [] : [fact('evicted, oldest first', evicted)]),
        ...(tooLarge.length === 0 ? [] : [fact('larger than the budget', tooLarge)]),
      ],
    }),
  };
}

/** The stored files as a step's prompt carries them; what is not carried is named, so that the model reads it instead of guessing. */
export function renderStoredFiles({ files, evicted }: ArtefactStore): string {
  if (files.length === 0 && evicted.length === 0) return '';
  const whole = files.flatMap(({ path, content, step_number }) =>
    content === null ? [] : [`### \`${path}\` (after step ${step_number})\n\n${fenced(content)}`],
  );
  const named = [
    ...files.filter(({ content }) => content === null).map(({ path, bytes }) => `\`${path}\` (${bytes} bytes)`),
    ...evicted.map((path) => `\`${path}\``),
  ];
  const absent = named.length === 0 ? [] : [`Also changed, not shown here; read before use: ${named.join(', ')}`];
  return ['## Files changed so far', ...whole, ...absent].join('\n\n');
}
