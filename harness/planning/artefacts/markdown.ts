/** What a section without entries says (planning.md §5): a reader can tell "looked and found nothing" from "left out". */
export const noneIdentified = '(none identified)';

/** A heading with its entries as a list. The heading is always printed; entries with line breaks stay inside their item. */
export const listSection = (title: string, entries: readonly string[]): string => textSection(title, entries.map(bullet).join('\n'));

/** A heading with free text below it, or the note that there is none. */
export const textSection = (title: string, text: string): string => `## ${title}\n\n${text.trim() === '' ? noneIdentified : text.trim()}`;

export const bullet = (text: string): string => `- ${text.trim().replaceAll('\n', '\n  ')}`;

export const document = (title: string, sections: readonly string[]): string => `# ${title}\n\n${sections.join('\n\n')}\n`;

/** A code block whose fence is longer than any run of backticks inside, so that a snippet cannot close it. */
export function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  // Not by a pattern: snippets come from models, and `\n+$` is quadratic in a run of line breaks.
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return `${fence}\n${text.slice(0, end)}\n${fence}`;
}

/** A table cell: one line, pipes escaped. */
const cell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** A Markdown table, or the note that there is nothing to list. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return noneIdentified;
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text with what follows it after a separator, where there is something to follow. */
export const joined = (parts: readonly string[], separator = ' — '): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(separator);
