/** One line of a diff as it is drawn. `before` and `after` are line numbers from 1, null where the line is not in that file. */
export interface DiffLine {
  kind: 'hunk' | 'same' | 'added' | 'removed' | 'note';
  text: string;
  before: number | null;
  after: number | null;
}

export interface ReadDiff {
  lines: DiffLine[];
  added: number;
  removed: number;
  /** False when the diff does not hold every changed line, so that the counts are at least what is shown. */
  whole: boolean;
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads the unified diff of one file. Lines are told apart by how many the head of their hunk promises, not by how they look: a removed line
 * may itself begin with `--`.
 */
export function readDiff(diff: string): ReadDiff {
  const lines: DiffLine[] = [];
  let [before, after, left, right] = [0, 0, 0, 0];
  let [added, removed] = [0, 0];
  let [begun, whole] = [false, true];
  const texts = diff.split('\n');
  if (texts.at(-1) === '') texts.pop();
  for (const text of texts) {
    const sign = text.charAt(0);
    if (text.startsWith('\\')) lines.push({ kind: 'note', text: text.slice(1).trim(), before: null, after: null });
    else if (sign === '+' && right > 0) {
      lines.push({ kind: 'added', text: text.slice(1), before: null, after: after++ });
      right -= 1;
      added += 1;
    } else if (sign === '-' && left > 0) {
      lines.push({ kind: 'removed', text: text.slice(1), before: before++, after: null });
      left -= 1;
      removed += 1;
    } else if ((sign === ' ' || text === '') && left > 0 && right > 0) {
      lines.push({ kind: 'same', text: text.slice(1), before: before++, after: after++ });
      left -= 1;
      right -= 1;
    } else {
      const head = left + right === 0 ? hunkHead.exec(text) : null;
      if (head !== null) {
        begun = true;
        [before, after] = [Number(head[1]), Number(head[3])];
        [left, right] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
        lines.push({ kind: 'hunk', text, before: null, after: null });
      } else if (begun || !/^(---|\+\+\+) /.test(text)) {
        // the diff says itself that it was cut, or that the files differ too much
        lines.push({ kind: 'note', text: text.replace(/^\((.*)\)$/, '$1'), before: null, after: null });
        whole = false;
      }
    }
  }
  return { lines, added, removed, whole: whole && left + right === 0 };
}
