import { expect, test } from 'vitest';
import { changeOf, pathsOf } from './change';
import { riskableChange } from './change-risk';

test('an edit showed the lines it only repeats to find its place', () => {
  const change = changeOf('edit_file', { path: './src/a.js', find: 'a\nb\nc\n', replace: 'a\nx\nc\n' });
  expect(change.diff).toBe('-b\n+x');
  expect(change.paths).toEqual(['src/a.js']);
  expect(change.text).toBe('edit_file src/a.js\n-b\n+x');
});

test('an edit that only adds or only removes came out empty, or repeated lines were counted twice', () => {
  expect(changeOf('edit_file', { path: 'a', find: 'x', replace: 'x\nx' }).diff).toBe('+x');
  expect(changeOf('edit_file', { path: 'a', find: 'x\nx', replace: 'x' }).diff).toBe('-x');
  expect(changeOf('edit_file', { path: 'a', find: 'x', replace: '' }).diff).toBe('-x');
});

test('a new file had no size, so its risk was always LOW', () => {
  const change = changeOf('create_file', { path: 'a.js', content: 'function f() {}\nconst g = () => 1;\n' });
  expect(change).toMatchObject({ diff: '+function f() {}\n+const g = () => 1;', lines: 2, functions: 2 });
});

test('a tool of unknown shape told the gate nothing', () => {
  expect(changeOf('send_mail', { to: 'a@b', body: 'hi' }).text).toBe('send_mail {"body":"hi","to":"a@b"}');
  expect(changeOf('run_command', { command: 'npm test' }).text).toBe('run_command $ npm test');
  expect(changeOf('odd', 'text').text).toBe('odd "text"');
});

test('several edits of one call were reviewed as none', () => {
  const change = changeOf('edit_file', {
    path: 'a',
    edits: [
      { find: 'a', replace: 'b' },
      { find: 'c', replace: 'd' },
    ],
  });
  expect(change.diff).toBe('-a\n+b\n-c\n+d');
});

test('paths in lists or under other names were not seen', () => {
  expect(pathsOf({ files: ['./a', { path: 'b' }], path: 'a' })).toEqual(['a', 'b']);
  expect(pathsOf({ from: 'a', to: 'b' })).toEqual(['a', 'b']);
  expect(pathsOf({ to: 'somebody@example.com' })).toEqual([]);
  expect(pathsOf('a')).toEqual([]);
});

test('a test file counted as business logic, or infrastructure beside it as a test', () => {
  const size = { lines: 1, functions: 0 };
  expect(riskableChange({ paths: ['src/a.test.ts'], ...size }, 'LOW').module_type).toBe('test');
  expect(riskableChange({ paths: ['src/a.test.ts', 'package.json'], ...size }, 'LOW').module_type).toBe('infrastructure');
  expect(riskableChange({ paths: [], ...size }, 'LOW').module_type).toBe('business_logic');
  expect(riskableChange({ paths: ['a.ts'], ...size }, 'HIGH').module_type).toBe('infrastructure');
});

test('a pattern that is no regular expression ended the run', () => {
  expect(
    riskableChange({ paths: ['a'], lines: 0, functions: 0 }, 'LOW', { testPaths: ['('], infrastructurePaths: [], highGoal: false })
      .module_type,
  ).toBe('business_logic');
});
