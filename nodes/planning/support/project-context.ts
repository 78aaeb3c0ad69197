import { z } from 'zod';
import { keywords } from '@/harness/planning/memory/words';
import { type LocalTool, localTool } from './local-tools';

/** Characters of one answer. */
const longest = 4000;

/** Paragraphs that share most words with the query, in the order of the text. */
function paragraphsFor(text: string, query: string, limit = longest): string {
  const wanted = new Set(keywords(query));
  const scored = text
    .split(/\n{2,}/)
    .map((paragraph, at) => ({ paragraph, at, score: new Set(keywords(paragraph).filter((word) => wanted.has(word))).size }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at);
  const kept: typeof scored = [];
  let used = 0;
  for (const entry of scored) {
    if (used + entry.paragraph.length > limit) continue;
    kept.push(entry);
    used += entry.paragraph.length;
  }
  return kept
    .sort((one, other) => one.at - other.at)
    .map(({ paragraph }) => paragraph)
    .join('\n\n');
}

/** `query_project_context`: what the project context says about something. */
export const projectContextTool = (context: string): LocalTool =>
  localTool({
    name: 'query_project_context',
    description: 'Finds what the project context says about something.',
    input: z.object({ query: z.string().describe('A few words.') }),
    handle: ({ query }) => {
      if (context.trim() === '') return { text: 'There is no project context: the workspace was not initialised.' };
      const found = paragraphsFor(context, query);
      return { text: found === '' ? 'The project context says nothing about that.' : found };
    },
  });
