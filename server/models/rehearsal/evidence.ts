import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ChatMessage, ModelRequest } from '@/harness/contract/model';
import { parseJson } from '../json-text';
import { coverage, type Term, termsOf, weighted, weightIn } from './words';

/** A line of a file that a tool showed. */
export interface Quote {
  path: string;
  line: number;
  text: string;
}

export interface ToolUse {
  id: string;
  name: string;
  arguments: Json;
  /** `null` while there is no result. */
  result: Json | null;
  failed: boolean;
}

/** Everything the rehearsal model knows: what was asked, what tools said, what else stands in the messages. */
export interface Gathered {
  question: string;
  terms: Term[];
  uses: ToolUse[];
  quotes: Quote[];
  /** Texts of the messages other than the question, oldest first. */
  texts: string[];
}

/** The question inside a prompt: what follows the last "Question:"-like mark, else the last line that asks, else its end. */
export function questionIn(prompt: string): string {
  const marks = [
    ...prompt.matchAll(
      /(?:^|\n)\s*#*\s*(?:the\s+)?(?:user'?s?\s+)?(?:question|request|message|task|goal|ask|topic)\s*(?:is)?\s*:\s*\n?([^\n]+)/gi,
    ),
  ];
  const marked = marks.at(-1)?.[1]?.trim();
  if (marked) return marked;
  const asking = prompt
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line.endsWith('?'));
  const last = asking.at(-1);
  if (last !== undefined) return last;
  const trimmed = prompt.trim();
  return trimmed.length <= 600 ? trimmed : trimmed.slice(0, 600);
}

/** What a harness says to a model in the middle of its work: a reminder, a correction, a call to finish. Never the question itself. */
const followUp = /^(?:That reply cannot be used|Give your final answer|You have not used a tool|Your turns with tools are used up)/;

/** The message that asks: the last of the user's before the work with tools began, follow-ups left out. */
function asking(messages: readonly ChatMessage[]): ChatMessage | undefined {
  const began = messages.findIndex((message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0);
  const before = began === -1 ? messages : messages.slice(0, began);
  const users = before.filter((message) => message.role === 'user');
  return users.findLast((message) => !followUp.test(message.content)) ?? users.at(-1);
}

function toolUses(messages: readonly ChatMessage[]): ToolUse[] {
  const uses: ToolUse[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.toolCalls ?? []) uses.push({ ...call, result: null, failed: false });
    } else if (message.role === 'tool') {
      const parsed = parseJson(message.content);
      const use = uses.find((candidate) => candidate.id === message.toolCallId && candidate.result === null);
      const result = parsed.ok ? parsed.value : message.content;
      if (use === undefined) {
        uses.push({ id: message.toolCallId, name: message.toolName, arguments: {}, result, failed: message.isError === true });
      } else {
        use.result = result;
        use.failed = message.isError === true;
      }
    }
  }
  return uses;
}

/** Lines that a tool's result shows, whatever its shape: hits with path and line, or numbered content of one path. */
export function quotesIn(value: Json): Quote[] {
  if (typeof value === 'string') return quotesInCut(value);
  if (Array.isArray(value)) return value.flatMap(quotesIn);
  if (!isJsonObject(value)) return [];
  const { path, line, text, content } = value;
  if (typeof path === 'string' && typeof line === 'number' && typeof text === 'string') return [{ path, line, text: text.trim() }];
  if (typeof path === 'string' && typeof content === 'string') {
    return content.split('\n').flatMap((row) => {
      const match = /^\s*(\d+)[:\t|]\s?(.*)$/.exec(row);
      return match?.[1] === undefined || !match[2]?.trim() ? [] : [{ path, line: Number(match[1]), text: match[2].trim() }];
    });
  }
  return Object.values(value).flatMap(quotesIn);
}

const unescaped = (text: string): string => {
  const parsed = parseJson(`"${text.replace(/\\?$/, '')}"`);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : text;
};

/** The same from a result that was cut to fit and is no JSON any more. */
function quotesInCut(text: string): Quote[] {
  const hits = [...text.matchAll(/"path":"((?:[^"\\]|\\.)*)","line":(\d+),"text":"((?:[^"\\]|\\.)*)"/g)];
  if (hits.length > 0) {
    return hits.map(([, path = '', line, words = '']) => ({ path: unescaped(path), line: Number(line), text: unescaped(words).trim() }));
  }
  const file = /"path":"((?:[^"\\]|\\.)*)","content":"((?:[^"\\]|\\.)*)/.exec(text);
  return file === null ? [] : quotesIn({ path: unescaped(file[1] ?? ''), content: unescaped(file[2] ?? '') });
}

/** Quotes written as `path:line` followed by text, as another node's answer would carry them. */
function citedIn(text: string): Quote[] {
  return [...text.matchAll(/(?:^|[\s(`[])((?:[\w.@-]+\/)*[\w.@-]+\.[A-Za-z]\w{0,9}):(\d{1,6})`?[)\]]?\s*(?:[-–—:]\s*)?([^\n]*)/g)].flatMap(
    (match) =>
      match[1] === undefined || match[2] === undefined ? [] : [{ path: match[1], line: Number(match[2]), text: (match[3] ?? '').trim() }],
  );
}

export function gather(request: ModelRequest): Gathered {
  const asked = asking(request.messages);
  const question = questionIn(asked?.content ?? '');
  const uses = toolUses(request.messages);
  const texts = request.messages
    .filter((message) => message.role !== 'tool' && message.role !== 'system' && message.content !== '' && !followUp.test(message.content))
    .map((message) => (message === asked ? message.content.replace(question, '') : message.content));
  const quotes = [
    ...uses.flatMap((use) => (use.result === null || use.failed ? [] : quotesIn(use.result))),
    ...texts.flatMap(citedIn),
    ...texts.flatMap((text) => {
      const parsed = parseJson(text.trim());
      return parsed.ok ? quotesIn(parsed.value) : [];
    }),
  ];
  return { question, terms: termsOf(question), uses, quotes, texts };
}

/** The quotes that say most about the terms, at most `limit`, no line twice, in order of file and line within equal rank. */
export function bestQuotes(quotes: readonly Quote[], terms: readonly Term[], limit: number): Quote[] {
  const seen = new Map<string, Quote>();
  for (const quote of quotes) {
    const key = `${quote.path}:${quote.line}`;
    const known = seen.get(key);
    if (known === undefined || known.text.length < quote.text.length) seen.set(key, quote);
  }
  const all = [...seen.values()].filter((quote) => coverage(terms, quote.text) > 0);
  const rare = weighted(
    terms,
    all.map((quote) => quote.text),
  );
  // A line that says several things together is worth more than several lines that say one each.
  const scored = all.map((quote) => ({
    quote,
    score: weightIn(rare, quote.text) * coverage(terms, quote.text) + weightIn(rare, quote.path) / 2 - (isCode(quote.text) ? 0.5 : 0),
  }));
  scored.sort((a, b) => b.score - a.score || compare(a.quote, b.quote));
  return scored.slice(0, limit).map(({ quote }) => quote);
}

/** Lines that only bring names in say nothing about them. */
const isCode = (text: string): boolean => /^(?:import|export \{|from|using|#include|require)\b|^[{}()[\];,]*$/.test(text);

const compare = (a: Quote, b: Quote): number => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1);
