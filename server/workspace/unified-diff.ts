import { createTwoFilesPatch } from 'diff';

const maxCharacters = 40_000;
/** Beyond this many changed lines the search for a short diff takes too long to be worth it. */
const maxEdits = 4000;

/** The change of one text file as a unified diff. `null` stands for a file that is not there. Empty when nothing changed. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3, maxEditLength: maxEdits },
  );
  if (patch === undefined) return `--- a/${path}\n+++ b/${path}\n(the files differ in more than ${maxEdits} lines)\n`;
  const text = patch.replace(/^=+\n/, '');
  return text.length <= maxCharacters ? text : `${text.slice(0, text.lastIndexOf('\n', maxCharacters) + 1)}(the rest of the diff is cut)\n`;
}
