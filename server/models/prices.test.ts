import { describe, expect, it } from 'vitest';
import { ollamaUrl } from './model-list';
import { costOf, priceOf } from './prices';
import { createProviderRegistry, providersFromEnvironment } from './provider';
import { resolveRole, suggestedDefaults } from './roles';

const openai = { id: 'openai', kind: 'openai' } as const;

describe('prices', () => {
  it('knows a model by its name and by its dated name, and no other by likeness', () => {
    expect(priceOf(openai, 'gpt-5-mini')).toMatchObject({ input: 0.25, output: 2 });
    expect(priceOf(openai, 'gpt-4o-2024-08-06')).toEqual(priceOf(openai, 'gpt-4o'));
    expect(priceOf(openai, 'gpt-5-mini-turbo')).toBeNull();
    expect(priceOf({ id: 'x', kind: 'openai-compatible' }, 'gpt-5')).toBeNull();
    expect(priceOf(openai, 'constructor')).toBeNull();
  });

  it('lets a person set a price, the provider’s own before the general one', () => {
    const own = { 'openai/mine': { input: 1, output: 2 }, mine: { input: 9, output: 9 } };
    expect(priceOf(openai, 'mine', own)).toEqual({ input: 1, output: 2 });
    expect(priceOf({ id: 'other', kind: 'ollama' }, 'mine', own)).toEqual({ input: 9, output: 9 });
  });

  it('is unknown, never zero, when price or counts are', () => {
    expect(costOf(null, { inputTokens: 5, outputTokens: 5 })).toBeNull();
    expect(costOf({ input: 1, output: 1 }, { inputTokens: null, outputTokens: 5 })).toBeNull();
  });

  it('counts cached input at its own price', () => {
    expect(
      costOf({ input: 10, output: 0, cachedInput: 1 }, { inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 400_000 }),
    ).toBeCloseTo(6.4, 10);
  });
});

describe('who answers for a role', () => {
  const flow = { provider: 'a', model: 'flow' };
  const app = { provider: 'b', model: 'app' };
  it.each([
    ['the flow’s own', { worker: flow }, { worker: app }, flow],
    ['the flow’s primary', { primary: flow }, { worker: app }, flow],
    ['the app’s own', {}, { worker: app }, app],
    ['the app’s primary', {}, { primary: app }, app],
    ['nobody: the rehearsal model', {}, {}, null],
    ['the rehearsal model by choice', { worker: { provider: 'rehearsal', model: 'rehearsal' }, primary: flow }, { worker: app }, null],
  ])('%s', (_name, models, defaults, expected) => expect(resolveRole('worker', models, defaults)).toEqual(expected));

  it('suggests a model of the first provider that has one', () => {
    expect(suggestedDefaults([])).toEqual({});
    expect(suggestedDefaults(providersFromEnvironment({ anthropicKey: 'k' }))).toMatchObject({ primary: { provider: 'anthropic' } });
    expect(suggestedDefaults([{ id: 'ollama', kind: 'ollama', models: ['llama3'], source: 'environment' }])).toEqual({
      primary: { provider: 'ollama', model: 'llama3' },
    });
  });
});

describe('providers', () => {
  it('reads the environment, and leaves out what is blank', () => {
    const found = providersFromEnvironment({ openaiKey: ' k ', anthropicKey: '  ', compatibleUrl: 'http://x/v1' });
    expect(found.map(({ id, apiKey }) => [id, apiKey])).toEqual([
      ['openai', 'k'],
      ['openai-compatible', undefined],
    ]);
  });

  it('lets settings win over the environment, at once', () => {
    const saved: { id: string; kind: 'openai'; apiKey: string; source: 'settings' }[] = [];
    const registry = createProviderRegistry(
      () => providersFromEnvironment({ openaiKey: 'env' }),
      () => saved,
    );
    expect(registry.get('openai')?.apiKey).toBe('env');
    saved.push({ id: 'openai', kind: 'openai', apiKey: 'saved', source: 'settings' });
    expect(registry.get('openai')?.apiKey).toBe('saved');
    expect(registry.get('__proto__')).toBeUndefined();
  });

  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    ['http://box:1234/', 'http://box:1234'],
    ['https://ollama.example', 'https://ollama.example'],
    ['::bad::', 'http://127.0.0.1:11434'],
  ])('understands OLLAMA_HOST=%s', (host, url) => expect(ollamaUrl(host)).toBe(url));
});
