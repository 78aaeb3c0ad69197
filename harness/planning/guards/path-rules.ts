const normalised = (path: string): string => path.replaceAll('\\', '/');

/** planning.md §13: where regression tests are kept, and how their files are named. `regression.log` and `test_regression_x.py` are none. */
export const regressionPattern = '(^|/)regressions?/|(^|/)regression[_-][^/]*\\.[A-Za-z0-9]+$';

/** Whether a path follows the regression convention. A custom pattern is JavaScript syntax. Throws `SyntaxError` for one that is not. */
export const isRegressionPath = (path: string, pattern: string = regressionPattern): boolean => new RegExp(pattern).test(normalised(path));

const testFolders = new Set(['test', 'tests', '__tests__', 'spec', 'specs', '__specs__', 'e2e', 'cypress']);
const testNames: readonly RegExp[] = [
  /(?:^|[._-])(?:test|tests|spec|specs)\.[A-Za-z0-9]+$/i,
  /^(?:test|spec)[._-].+\.[A-Za-z0-9]+$/i,
  /[a-z0-9](?:Test|Tests|TestCase|Spec)\.[A-Za-z0-9]+$/,
  /^conftest\.py$/,
];

/** Whether a file is a test by its folder or its name, in the conventions of the usual runners. `contest.py` and `latest/x.js` are none. */
export function isTestFilePath(path: string): boolean {
  const parts = normalised(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const name = parts.pop();
  if (name === undefined) return false;
  return parts.some((part) => testFolders.has(part.toLowerCase())) || testNames.some((pattern) => pattern.test(name));
}

/** The parts of an absolute path without `.` and `..`; `null` when it climbs above the root. */
function resolved(parts: readonly string[]): string[] | null {
  const way: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part !== '..') way.push(part);
    else if (way.pop() === undefined) return null;
  }
  return way;
}

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);

/**
 * Whether a path leads out of the root by its text: absolute elsewhere, or by `..`, or into a home by `~`. Links are not seen here; the host
 * resolves them before it touches a file.
 */
export function isExternalPath(path: string, root: string): boolean {
  const text = normalised(path);
  if (/^~(?:[\w-]*$|[\w-]*\/)/.test(text)) return true;
  if (!isAbsolute(text)) return resolved(text.split('/')) === null;
  const base = resolved(normalised(root).split('/')) ?? [];
  const way = resolved(text.split('/'));
  return way === null || base.some((part, at) => way[at] !== part);
}

/** Devices that a command may name without leaving anything anywhere. */
const harmless = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);

/** Words of a command that name a place outside of the root, also as the value of an option (`--out=/etc/x`). The program itself is no such place. */
export function externalPathsOf(argv: readonly string[], root: string): string[] {
  const found: string[] = [];
  for (const word of argv.slice(1)) {
    const candidates = /^-{1,2}[\w-]+=/.test(word)
      ? [word.slice(word.indexOf('=') + 1)]
      : /^[A-Za-z_]+=/.test(word)
        ? [word.slice(word.indexOf('=') + 1)]
        : [word];
    for (const path of candidates) {
      const looksLikePath = isAbsolute(normalised(path)) || path.startsWith('~') || normalised(path).split('/').includes('..');
      // `//` begins a comment or an address without its scheme more often than a path.
      if (looksLikePath && !path.startsWith('//') && !harmless.has(path) && isExternalPath(path, root)) found.push(path);
    }
  }
  return [...new Set(found)];
}
