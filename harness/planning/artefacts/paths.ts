/**
 * A path as plans compare them: forward slashes, without a leading `./` or doubled slashes. Two spellings of one file must be one file in
 * every set check; case is kept, because file systems may tell it apart.
 */
export function planPath(path: string): string {
  const text = path
    .trim()
    .replaceAll('\\', '/')
    .replaceAll(/\/{2,}/g, '/');
  return text
    .split('/')
    .filter((part) => part !== '.')
    .join('/');
}

export const fileName = (path: string): string => planPath(path).split('/').pop() ?? '';

/** The folder of a path, `''` at the root. */
export function folderOf(path: string): string {
  const text = planPath(path);
  const at = text.lastIndexOf('/');
  return at < 0 ? '' : text.slice(0, at);
}

/** Each path once, normalised, blanks dropped, in order of first mention. */
export const uniquePaths = (paths: readonly string[]): string[] => [...new Set(paths.map(planPath).filter((path) => path !== ''))];

const word = String.raw`[\p{L}\p{N}_]`;

/**
 * Whether a text names a path with word boundaries: `src/a.ts` is in "edit ./src/a.ts." and not in `src/a.tsx`, `lib/src/a.ts` or
 * `src/a.ts.bak`.
 */
export function mentionsPath(text: string, path: string): boolean {
  const wanted = planPath(path);
  const searched = text.replaceAll('\\', '/');
  if (wanted === '' || !searched.includes(wanted)) return false;
  const before = String.raw`(?<!${word}|[-/])(?:\./)?`;
  const after = String.raw`(?!${word}|[-/]|\.${word})`;
  return new RegExp(`${before}${escapePattern(wanted)}${after}`, 'u').test(searched);
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
