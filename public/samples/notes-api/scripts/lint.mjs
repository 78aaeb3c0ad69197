// The rules of this project for its own code. Usage: node scripts/lint.mjs [file or folder …]
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ['src', 'test', 'testing', 'scripts'];

function filesIn(path) {
  if (statSync(path).isFile()) return /\.m?js$/.test(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name === 'node_modules' ? [] : filesIn(join(path, name))));
}

const lineRules = [
  { rule: 'no-tabs', pattern: /\t/, message: 'indent with spaces' },
  { rule: 'no-trailing-space', pattern: /[ \t]+$/, message: 'remove the space at the end of the line' },
  { rule: 'no-var', pattern: /^\s*var\s/, message: 'use const or let' },
  { rule: 'no-console', pattern: /^(?!\s*\/\/).*\bconsole\.(log|debug|info)\(/, message: 'remove the output' },
];

/** Names that an import brings in and nothing else in the file uses. */
function unusedImports(text) {
  const found = [];
  for (const match of text.matchAll(/^import\s+([^'"]+?)\s+from\s+['"][^'"]+['"];?/gm)) {
    const rest = text.slice(0, match.index) + text.slice(match.index + match[0].length);
    const line = text.slice(0, match.index).split('\n').length;
    const names = match[1]
      .replace(/[{}]/g, ',')
      .split(',')
      .map((part) => part.trim().split(/\s+as\s+/).at(-1))
      .filter((name) => name !== '');
    for (const name of names) {
      const used = new RegExp(`(?<![\\w$]|[^.]\\.)${name.replace(/\$/g, '\\$')}(?![\\w$])`).test(rest);
      if (!used) found.push({ line, rule: 'no-unused-import', message: `"${name}" is imported and never used` });
    }
  }
  return found;
}

function check(file) {
  const text = readFileSync(file, 'utf8');
  const problems = unusedImports(text);
  for (const [index, line] of text.split('\n').entries()) {
    for (const { rule, pattern, message } of lineRules) if (pattern.test(line)) problems.push({ line: index + 1, rule, message });
  }
  if (!text.endsWith('\n')) problems.push({ line: text.split('\n').length, rule: 'final-newline', message: 'end the file with a line break' });
  return problems.map(({ line, rule, message }) => `${relative(root, file)}:${line}  ${rule}  ${message}`);
}

const given = process.argv.slice(2);
const files = (given.length > 0 ? given : folders.map((name) => join(root, name))).flatMap(filesIn);
const problems = files.flatMap(check);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${files.length} files, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
