import { type ChatContractConfig, defaultChatContractConfig } from './config';

const numbered = /^\s{0,3}(?:\*\*)?\(?(\d{1,2})[.)](?:\*\*)?\s+(\S.*)$/;

/**
 * The numbered list a text ends with, one entry per item; later lines of an item belong to it. Empty when something else stands at the end.
 */
export function closingList(text: string): string[] {
  const lines = text.trimEnd().split(/\r?\n/);
  const items: string[] = [];
  let current: string[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const match = numbered.exec(line);
    if (match !== null) {
      const number = Number(match[1]);
      if (number >= last) break;
      items.unshift([match[2] ?? '', ...current].join('\n').trimEnd());
      current = [];
      last = number;
      if (number === 1) break;
      continue;
    }
    // An item goes on in indented lines, bullets and blank lines; a plain paragraph ends the list.
    if (line.trim() !== '' && !/^\s+\S/.test(line) && !/^\s*[-*]\s/.test(line)) return last === Number.POSITIVE_INFINITY ? [] : items;
    current.unshift(line);
  }
  return items;
}

export type QuestionsCheck = { ok: true; questions: string[] } | { ok: false; problem: string; questions: string[] };

/** Round 1 must end with 3 to 5 numbered questions (planning.md §2). */
export function checkQuestions(text: string, config: ChatContractConfig = defaultChatContractConfig): QuestionsCheck {
  const items = closingList(text);
  const questions = items.filter((item) => item.includes('?'));
  const { minQuestions, maxQuestions } = config;
  if (items.length === 0) return { ok: false, problem: 'The reply does not end with numbered questions.', questions };
  if (questions.length < items.length) {
    return {
      ok: false,
      problem: `${items.length - questions.length} of the ${items.length} numbered items at the end ask nothing.`,
      questions,
    };
  }
  return questions.length < minQuestions || questions.length > maxQuestions
    ? {
        ok: false,
        problem: `The reply ends with ${questions.length} numbered questions; it needs ${minQuestions} to ${maxQuestions}.`,
        questions,
      }
    : { ok: true, questions };
}
