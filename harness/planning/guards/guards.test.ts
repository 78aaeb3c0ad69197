import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from './classify-command';
import { commandText, readCommandLine, runnableCommand } from './command-line';
import { externalPathsOf, isExternalPath, isRegressionPath, isTestFilePath } from './path-rules';

describe('what never runs', () => {
  it.each([
    'rm -rf /',
    'rm -fr /',
    'rm -r -f /',
    'rm --recursive --force /',
    'rm -Rf --no-preserve-root /',
    'rm -rf -- /',
    'rm -rf //',
    'rm -rf /..',
    'rm -rf /*',
    'rm -rf ~',
    'rm -fr ~/',
    "rm -rf '~'",
    'rm -rf $HOME',
    'rm -rf x / y',
    '/bin/rm -rf /',
    'RM -RF /',
    'sudo rm -rf /',
    'sudo -u root rm -rf /',
    'env -i A=1 rm -rf /',
    'A=1 rm -rf /',
    'timeout -k 1 5 rm -rf /',
    'nice -n 5 nohup rm -rf /',
    'sh -c "rm -rf /"',
    `bash -lc 'cd x && rm -rf /'`,
    'bash -c "sudo sh -c \'rm -rf /\'"',
    'npm test && rm -rf /',
    'npm test; rm -rf ~',
    'echo x | xargs rm -rf /',
    'find . -exec rm -rf / ;',
    'echo $(rm -rf /)',
    'echo `rm -rf /`',
    'r"m" -rf /',
    'rm -r""f /',
    'eval "rm -rf /"',
    'format c:',
    'format D: /q',
    'dd if=/dev/zero of=/dev/sda',
    'dd of=/dev/nvme0n1 if=x bs=1M',
    'chmod 777 /',
    'chmod -R 0777 /',
    'mkfs /dev/sda1',
    'mkfs.ext4 -F /dev/sda1',
  ])('%s', (command) => expect(classifyCommand(command)).toMatchObject({ verdict: 'block' }));
});

describe('what is asked about', () => {
  it.each([
    ['rm file.txt', 'rm'],
    ['rm -rf /tmp/x', 'rm'],
    ['rm -rf ./~', 'rm'],
    ['del a', 'del'],
    ['erase a', 'erase'],
    ['rmdir a', 'rmdir'],
    ['shred a', 'shred'],
    ['truncate -s 0 a', 'truncate'],
    ['mkfs image.img', 'mkfs'],
    ['dropdb main', 'dropdb'],
    ['psql -c "DROP  DATABASE main"', 'drop database'],
    ['chmod 777 a', 'chmod'],
    ['chown a b', 'chown'],
    ['killall node', 'killall'],
    ['pkill node', 'pkill'],
    ['kill -9 1', 'kill -9'],
    ['kill -s KILL 1', 'kill -9'],
    ['kill -SIGKILL 1', 'kill -9'],
    ['poweroff', 'poweroff'],
    ['reboot', 'reboot'],
    ['shutdown -h now', 'shutdown'],
    ['git push', 'git push'],
    ['git -C sub -c a=b --no-pager push origin main', 'git push'],
    ['git reset --hard', 'git reset --hard'],
    ['git reset HEAD~1 --hard', 'git reset --hard'],
    ['git clean -fd', 'git clean'],
    ['npm publish', 'npm publish'],
    ['npm --silent publish', 'npm publish'],
    ['pip uninstall x', 'pip uninstall'],
    ['pip3 uninstall -y x', 'pip uninstall'],
    ['python3 -m pip uninstall x', 'pip uninstall'],
    ['find . -name x -delete', 'rm'],
    ['find . -exec rm {} +', 'rm'],
    ['sh -c "npm test; rm x"', 'rm'],
    ['echo "unfinished', 'unreadable'],
  ])('%s, by the rule %s', (command, rule) => expect(classifyCommand(command)).toMatchObject({ verdict: 'ask', rule }));
});

describe('what only looks like it', () => {
  it.each([
    'npm run confirm x',
    'npm run rm',
    'npm run publish-docs',
    'echo rm -rf /',
    'grep -r "rm -rf /" .',
    'node --test delete-user.test.js',
    'python -m pytest tests/test_truncate.py',
    'git log --grep push',
    'git commit -m "git push"',
    'git reset --soft HEAD~1',
    'git status',
    'kill 12',
    'kill -15 12',
    'pip install uninstall',
    'npm run format c',
    'dd if=a of=b',
    'cat format',
    'ls /',
    'sh run.sh',
    'env',
    '',
  ])('%s is allowed', (command) => expect(classifyCommand(command)).toMatchObject({ verdict: 'allow', rule: 'none' }));

  it('takes further rules as the words that a command begins with', () => {
    const rules = { ask: ['docker push'], block: ['terraform destroy'] };
    expect(classifyCommand('docker push x', rules)).toMatchObject({ verdict: 'ask', rule: 'docker push' });
    expect(classifyCommand('docker pull push', rules)).toMatchObject({ verdict: 'allow' });
    expect(classifyCommand('sudo terraform destroy', rules)).toMatchObject({ verdict: 'block' });
    expect(classifyCommand('docker push x')).toMatchObject({ verdict: 'allow' });
  });

  it('gives any text a verdict, and never allows what a wrapped rm makes of it', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => ['allow', 'ask', 'block'].includes(classifyCommand(text).verdict)));
    const wrapper = fc.constantFrom('sudo', 'nohup', 'env A=1', 'nice -n 3', 'timeout 5', 'command', 'xargs -n 1');
    fc.assert(
      fc.property(
        fc.array(wrapper, { maxLength: 4 }),
        (wrappers) => classifyCommand([...wrappers, 'rm -rf /'].join(' ')).verdict === 'block',
      ),
    );
    expect(classifyCommand(`${'sudo '.repeat(30)}rm x`).verdict).not.toBe('allow');
  });
});

describe('command lines', () => {
  it('reads quotes as a shell does', () => {
    expect(runnableCommand(`a 'b c' "d \\"e\\" $" f\\ g h"i"'j' ''`)).toMatchObject({ argv: ['a', 'b c', 'd "e" $', 'f g', 'hij', ''] });
    expect(runnableCommand('A=1 B="x y" npm test\n')).toEqual({ ok: true, argv: ['npm', 'test'], variables: { A: '1', B: 'x y' } });
    expect(runnableCommand('grep "a|b" x # why')).toMatchObject({ argv: ['grep', 'a|b', 'x'] });
    expect(runnableCommand('node --test "**/*.test.js"')).toMatchObject({ argv: ['node', '--test', '**/*.test.js'] });
  });

  it.each([
    ['a && b', '&&'],
    ['a | b', '|'],
    ['a > b', '>'],
    ['a & b', '&'],
    ['(a)', '('],
    ['a\nb', 'second line'],
    ['a $B', 'variables'],
    ['a "$(b)"', 'commands inside'],
    ['a ~/b', '~'],
    ['a *.js', '*'],
    ["a 'b", 'not closed'],
    ['a "b', 'not closed'],
    ['a \\', 'ends with'],
    ['A=1', 'no program'],
    ['  ', 'no program'],
    ['a\0', 'NUL'],
  ])('says why %j cannot be run', (source, problem) => {
    expect(runnableCommand(source)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('reads back what it writes, whatever the words are', () => {
    const words = fc.array(
      fc.string({ unit: 'binary', maxLength: 12 }).filter((word) => !word.includes('\0')),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(words, (argv) => {
        const line = readCommandLine(commandText(argv));
        expect(line.ok && line.tokens.map((token) => token.text)).toEqual(argv);
      }),
    );
  });
});

describe('paths', () => {
  it.each([
    ['regression_login.py', true],
    ['tests/regression-login.test.js', true],
    ['tests/regression/auth_test.py', true],
    ['regressions/a.txt', true],
    ['tests\\regression\\a.py', true],
    ['test_regression_logic.py', false],
    ['regression.log', false],
    ['docs/regression.md', false],
    ['regression_folder/x.py', false],
    ['myregression/x.py', false],
  ])('%s follows the regression convention: %s', (path, expected) => expect(isRegressionPath(path)).toBe(expected));

  it.each([
    ['tests/a.py', true],
    ['src/__tests__/a.ts', true],
    ['a.test.js', true],
    ['a.spec.tsx', true],
    ['test_a.py', true],
    ['a_test.go', true],
    ['AuthTest.java', true],
    ['spec/models/user_spec.rb', true],
    ['conftest.py', true],
    ['src\\tests\\a.py', true],
    ['contest.py', false],
    ['latest/a.js', false],
    ['testing-notes.md', false],
    ['src/attestation.ts', false],
    ['src/test-utils/index.ts', false],
    ['inspect.py', false],
  ])('%s is a test file: %s', (path, expected) => expect(isTestFilePath(path)).toBe(expected));

  it.each([
    ['a/b', false],
    ['a/../b', false],
    ['../work-other/a', true],
    ['a/../../b', true],
    ['/srv/work/a', false],
    ['/srv/work', false],
    ['/srv/work/../other', true],
    ['/srv/work-other', true],
    ['/etc/passwd', true],
    ['~', true],
    ['~/x', true],
    ['~root/x', true],
    ['a~', false],
    ['..hidden', false],
    ['C:\\Windows', true],
    ['a\\..\\..\\b', true],
  ])('%s is outside of /srv/work: %s', (path, expected) => expect(isExternalPath(path, '/srv/work')).toBe(expected));

  it('finds the words of a command that lead out', () => {
    const argv = [
      '/usr/bin/tool',
      'in.txt',
      '--out=/etc/x',
      'of=/dev/sda',
      '../y',
      '/srv/work/z',
      '/dev/null',
      'https://a/../b',
      '--flag',
      '//note',
    ];
    expect(externalPathsOf(argv, '/srv/work')).toEqual(['/etc/x', '/dev/sda', '../y']);
  });
});
