import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { planPath, uniquePaths } from '../artefacts/paths';

export const parallelExplorationConfigSchema = z.object({
  parallel: z
    .int()
    .min(1)
    .max(16)
    .default(1)
    .meta({ title: 'Explorers at once', description: 'From 2 on, a scan splits the files among them.' }),
  scanTurns: z.int().min(1).default(15).meta({ title: 'Turns of the scan' }),
  divePool: z.int().min(1).default(30).meta({ title: 'Turns shared by the deep dives' }),
  diveLeast: z.int().min(1).default(10).meta({ title: 'Turns each deep dive has at least' }),
});
export type ParallelExplorationConfig = z.output<typeof parallelExplorationConfigSchema>;
export const defaultParallelExplorationConfig: ParallelExplorationConfig = parallelExplorationConfigSchema.parse({});

const address = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi;
// Brackets belong to a path only as a pair within one folder name (`app/(shop)/[id]`), so that those of the prose around it do not.
const part = String.raw`(?:\([\p{L}\p{N}_@.-]+\)|\[[\p{L}\p{N}_@.-]+\]|[\p{L}\p{N}_@.+~-])+`;
const candidate = new RegExp(String.raw`(?<![\p{L}\p{N}_@.+~)\]/-])/?(?:${part}/)+${part}`, 'gu');

/** Dots at the end belong to the sentence. */
function withoutFullStop(path: string): string {
  let end = path.length;
  while (path[end - 1] === '.') end -= 1;
  return path.slice(0, end);
}

/**
 * What looks like a relative path with a folder in it, each once, in order of mention. Whether such a file exists is for the host to say:
 * candidates such as "and/or" drop out there. Addresses of the web and absolute paths are none.
 */
export function candidatePaths(text: string): string[] {
  const local = text.replaceAll(address, ' ').replaceAll('\\', '/');
  const found = [...local.matchAll(candidate)].map(([match]) => withoutFullStop(match)).filter((path) => !path.startsWith('/'));
  return uniquePaths(found).filter((path) => path.includes('/') && !path.startsWith('../'));
}

/** Paths dealt out to at most `count` explorers, in order, sizes differing by one at most; never an empty share. */
export function chunkPaths(paths: readonly string[], count: number): string[][] {
  const shares = Math.min(Math.max(1, Math.floor(count)), paths.length);
  const least = shares === 0 ? 0 : Math.floor(paths.length / shares);
  const larger = shares === 0 ? 0 : paths.length % shares;
  const chunks: string[][] = [];
  let from = 0;
  for (let at = 0; at < shares; at += 1) {
    const size = least + (at < larger ? 1 : 0);
    chunks.push(paths.slice(from, from + size));
    from += size;
  }
  return chunks;
}

export interface DivePlan {
  chunks: string[][];
  turns: number;
  decision: Decision;
}

/** How the files that the scan named and the workspace has are shared among deep dives. */
export function planDives(
  scan: string,
  exists: (path: string) => boolean,
  config: ParallelExplorationConfig = defaultParallelExplorationConfig,
): DivePlan {
  const named = candidatePaths(scan);
  const existing = named.filter((path) => exists(planPath(path)));
  const chunks = chunkPaths(existing, config.parallel);
  const turns = Math.max(config.diveLeast, Math.floor(config.divePool / Math.max(1, chunks.length)));
  return {
    chunks,
    turns,
    decision: decided({
      rule: 'exploration_split',
      outcome: `${chunks.length} deep dives of ${turns} turns`,
      because: [
        compared('explorers', chunks.length, '<=', config.parallel),
        fact('paths named by the scan', named.length),
        fact('of these in the workspace', existing.length),
        fact(
          'files per explorer',
          chunks.map((chunk) => chunk.length),
        ),
      ],
    }),
  };
}

export type DiveResult = { ok: true; prose: string } | { ok: false; error: string };

export interface GatheredDives {
  prose: string;
  /** The parallel variant has no structured summary; checks that need one are skipped (known limitation, planning.md §6). */
  summary: null;
  decision: Decision;
}

/** The deep dives in their order; one that failed is named and costs only its own part. */
export function gatherDives(scan: string, dives: readonly DiveResult[]): GatheredDives {
  const parts = dives.map((dive, at) => (dive.ok ? dive.prose.trim() : `(deep dive ${at + 1} failed: ${dive.error})`));
  const failed = dives.filter(({ ok }) => !ok).length;
  return {
    prose: [scan.trim(), ...parts].filter((part) => part !== '').join('\n\n'),
    summary: null,
    decision: decided({
      rule: 'exploration_gathered',
      outcome: failed === 0 ? 'all deep dives answered' : `${failed} of ${dives.length} deep dives failed`,
      because: [fact('deep dives', dives.length), compared('failed', failed, '==', 0)],
      note: 'No structured file summary: V1 and V3 will be skipped.',
    }),
  };
}
