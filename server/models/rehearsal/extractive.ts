import { isJsonObject } from '@/harness/contract/json';
import { bestQuotes, type Gathered } from './evidence';
import { coverage, sentencesOf } from './words';

/** Stands at the top of every text the rehearsal model writes on its own; what it is must be plain (design §8). */
export const rehearsalLabel = '[Rehearsal model: extracts from what was gathered, no language model was used]';

const shortened = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`);

/** The sentences of the gathered texts that say most about the question, in their own order. */
export function bestSentences(gathered: Gathered, limit: number): string[] {
  const sentences = gathered.texts.flatMap(sentencesOf).filter((sentence) => sentence !== rehearsalLabel);
  const unique = [...new Set(sentences)];
  const scored = unique.map((sentence, index) => ({ sentence, index, score: coverage(gathered.terms, sentence) }));
  const chosen = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
  return chosen
    .slice(0, limit)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence);
}

/** Results of tools that show no file lines (a sum, a time, a page), as one line each. */
function otherFindings(gathered: Gathered): string[] {
  return gathered.uses.flatMap((use) => {
    if (use.result === null || use.failed) return [];
    if (use.name === 'grep_files' || use.name === 'read_file') return [];
    const { result } = use;
    const text = isJsonObject(result) && typeof result.text === 'string' ? result.text : JSON.stringify(result);
    return [`${use.name}: ${shortened(text.replace(/\s+/g, ' '), 300)}`];
  });
}

/** What the folder holds, for a person whose question found nothing. */
function folderShown(gathered: Gathered): string[] {
  const tree = gathered.uses.flatMap(({ result }) => (isJsonObject(result) && typeof result.tree === 'string' ? [result.tree] : []))[0];
  return tree === undefined ? [] : ['The folder holds:', '```', shortened(tree, 1500), '```'];
}

/** The body of an answer without the label: quoted lines first, else sentences, else what there is to say about nothing. */
export function extractBody(gathered: Gathered): string {
  const quotes = bestQuotes(gathered.quotes, gathered.terms, 4);
  if (quotes.length > 0) {
    const lines = quotes.map((quote) => `- \`${quote.path}:${quote.line}\` ${shortened(quote.text, 240)}`);
    return `What the files say about "${shortened(gathered.question, 200)}":\n\n${lines.join('\n')}`;
  }
  const failures = gathered.uses
    .filter((use) => use.failed)
    .map((use) => `- ${use.name} failed: ${shortened(JSON.stringify(use.result), 200)}`);
  if (gathered.uses.some((use) => use.name === 'grep_files')) {
    const words = gathered.terms.map((term) => term.word).join(', ');
    return [
      `Nothing was found for "${shortened(gathered.question, 200)}" (searched for: ${words}).`,
      ...folderShown(gathered),
      ...failures,
    ].join('\n');
  }
  const findings = otherFindings(gathered);
  if (findings.length > 0) return [...findings.map((line) => `- ${line}`), ...failures].join('\n');
  const sentences = bestSentences(gathered, 4);
  if (sentences.length > 0) return sentences.map((sentence) => shortened(sentence, 400)).join('\n');
  return gathered.question === ''
    ? 'There was no question to answer.'
    : `Nothing was gathered about "${shortened(gathered.question, 300)}". Give the agent tools or a folder, or configure a model in Settings.`;
}

export const extractiveReply = (gathered: Gathered): string => `${rehearsalLabel}\n\n${extractBody(gathered)}`;
