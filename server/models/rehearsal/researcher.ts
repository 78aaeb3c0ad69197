import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import type { ModelRequest, ToolOffer } from '@/harness/contract/model';
import { bestQuotes, type Gathered, quotesIn, type ToolUse } from './evidence';
import { coverage, weighted, weightIn } from './words';

export interface PlannedCall {
  name: string;
  arguments: JsonObject;
}

/** More rounds than this find nothing new, whatever the flow allows. */
const maxReads = 2;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const used = (gathered: Gathered, name: string): ToolUse[] => gathered.uses.filter((use) => use.name === name);

const argument = (use: ToolUse, name: string): Json | undefined => (isJsonObject(use.arguments) ? use.arguments[name] : undefined);

/** The files of grep's hits, the one that says most about the question first, each with its best line. */
function filesByRank(gathered: Gathered): { path: string; line: number }[] {
  const hits = used(gathered, 'grep_files').flatMap((use) => (use.result === null || use.failed ? [] : quotesIn(use.result)));
  const rare = weighted(
    gathered.terms,
    hits.map((hit) => hit.text),
  );
  const files = new Map<string, { text: string; best: number; line: number }>();
  for (const hit of hits) {
    const score = weightIn(rare, hit.text) * coverage(rare, hit.text);
    const file = files.get(hit.path) ?? { text: hit.path, best: -1, line: hit.line };
    file.text += `\n${hit.text}`;
    if (score > file.best) {
      file.best = score;
      file.line = hit.line;
    }
    files.set(hit.path, file);
  }
  return [...files.entries()]
    .map(([path, file]) => ({ path, line: file.line, score: weightIn(rare, file.text) * 2 + file.best }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path, line }) => ({ path, line }));
}

/** Lines that hold two of the words; asked for when lines with any one of them are too many to be shown. */
function pairsOf(gathered: Gathered): string {
  const stems = gathered.terms.slice(0, 5).map((term) => escaped(term.stem));
  return stems.flatMap((first, at) => stems.slice(at + 1).map((second) => `${first}.*${second}|${second}.*${first}`)).join('|');
}

const expressionIn = (question: string): string | null => {
  const match = /(?:\d|\()[\d\s.+\-*/^%()]*[+\-*/^%][\d\s.+\-*/^%()]*[\d)]/.exec(question);
  return match === null ? null : match[0].trim();
};

/**
 * The next tool call of the deterministic researcher, or `null` when it is time to answer: search the question's words, read around the best
 * hits, look at the folder when nothing was found; and the obvious tool for a sum, a date or an address.
 */
export function nextCall(request: ModelRequest, gathered: Gathered): PlannedCall | null {
  const offered = new Map((request.tools ?? []).map((offer): [string, ToolOffer] => [offer.name, offer]));
  const fresh = (name: string): boolean => offered.has(name) && used(gathered, name).length === 0;
  const { question, terms } = gathered;

  const sum = expressionIn(question);
  if (sum !== null && fresh('calculator')) return { name: 'calculator', arguments: { expression: sum } };
  if (/\b(?:what time|what date|today|current (?:time|date)|right now)\b/i.test(question) && fresh('current_time')) {
    return { name: 'current_time', arguments: {} };
  }
  const address = /https?:\/\/[^\s)>\]"']+/.exec(question)?.[0];
  if (address !== undefined && fresh('fetch_url')) return { name: 'fetch_url', arguments: { url: address.replace(/[.,;!?]+$/, '') } };

  if (fresh('grep_files') && terms.length > 0) {
    return { name: 'grep_files', arguments: { pattern: terms.map((term) => escaped(term.stem)).join('|') } };
  }
  const [search, ...more] = used(gathered, 'grep_files');
  const cut = search !== undefined && isJsonObject(search.result) && search.result.truncated === true;
  if (cut && more.length === 0 && terms.length > 1 && offered.has('grep_files')) {
    return { name: 'grep_files', arguments: { pattern: pairsOf(gathered) } };
  }
  const read = used(gathered, 'read_file');
  if (offered.has('read_file') && read.length < maxReads) {
    const seen = new Set(read.map((use) => argument(use, 'path')));
    const next = filesByRank(gathered).find((file) => !seen.has(file.path));
    const enough =
      read.length > 0 && bestQuotes(gathered.quotes, terms, 3).some((quote) => coverage(terms, quote.text) >= Math.min(3, terms.length));
    if (next !== undefined && !enough) {
      return { name: 'read_file', arguments: { path: next.path, offset: Math.max(1, next.line - 10), limit: 40 } };
    }
  }
  const nothing = gathered.quotes.length === 0;
  if (nothing && fresh('directory_tree')) return { name: 'directory_tree', arguments: {} };
  if (nothing && !offered.has('directory_tree') && fresh('list_directory')) return { name: 'list_directory', arguments: {} };
  return null;
}
