import { expect, test } from 'vitest';
import { resolveCommands } from './commands';

test('L02: the environment beat commands.json, or the override was not said', () => {
  const { commands, sources, decisions } = resolveCommands([
    { source: 'environment', commands: { test: 'pytest' } },
    { source: 'commands.json', commands: { test: 'cargo test' } },
  ]);
  expect(commands.test).toBe('cargo test');
  expect(sources.test).toBe('commands.json');
  expect(decisions).toMatchObject([
    {
      rule: 'post-validation: test command',
      outcome: 'cargo test',
      because: [
        { name: 'from', value: 'commands.json' },
        { name: 'overrides environment', value: 'pytest' },
      ],
    },
  ]);
});

test('L03: a blank of commands.json was not filled by the environment, or beat it', () => {
  const { commands, sources } = resolveCommands([
    { source: 'commands.json', commands: { test: '  ', lint: 'cargo clippy' } },
    { source: 'environment', commands: { test: 'pytest', lint: 'ruff' } },
  ]);
  expect(commands).toMatchObject({ test: 'pytest', lint: 'cargo clippy' });
  expect(sources).toMatchObject({ test: 'environment', lint: 'commands.json', format: 'none' });
});

test('the same command from two places was called an override', () => {
  const { decisions } = resolveCommands([
    { source: 'channel', commands: { test: 'pytest' } },
    { source: 'environment', commands: { test: 'pytest' } },
  ]);
  expect(decisions[0]?.because).toEqual([{ name: 'from', value: 'channel' }]);
});
