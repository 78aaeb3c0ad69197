import { expect, test } from 'vitest';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeRouter } from './execute';
import { router } from './node';

const routes = [
  { id: 'code', title: 'About code', description: 'Questions about the source' },
  { id: 'chat', title: 'Small talk', description: '' },
];
const base = { routes, question: '{{input.message}}' };
const input = { message: 'Where is the parser?' };

test('the decision named neither the route nor the reason', async () => {
  const fake = fakeContext(router, { config: base, input, replies: [{ object: { route: 'code', reason: 'asks for source' } }] });
  expect(await executeRouter.execute(fake.context)).toEqual({
    port: 'code',
    output: { route: 'code', reason: 'asks for source', confidence: null },
  });
  expect(fake.decisions).toMatchObject([
    {
      outcome: 'code',
      note: 'asks for source',
      because: [{ name: 'route', value: 'code', operator: 'in', threshold: ['code', 'chat'], holds: true }],
    },
  ]);
});

test('a model that writes the title instead of the id was taken for unsure', async () => {
  const fake = fakeContext(router, { config: base, input, replies: [{ object: { route: 'ABOUT CODE', reason: '' } }] });
  expect(await executeRouter.execute(fake.context)).toMatchObject({ port: 'code' });
});

test('a reply that names no route was followed', async () => {
  const nonsense = [{ text: 'hm' }, { object: { route: 'elsewhere', reason: 'x' } }];
  const port = fakeContext(router, { config: base, input, replies: nonsense });
  expect(await executeRouter.execute(port.context)).toMatchObject({ port: 'unsure', output: { route: 'unsure' } });
  expect(port.requests).toHaveLength(2);
  const fallback = fakeContext(router, { config: { ...base, whenUnsure: 'fallback', fallback: 'chat' }, input, replies: nonsense });
  expect(await executeRouter.execute(fallback.context)).toMatchObject({ port: 'chat' });
  const fail = fakeContext(router, { config: { ...base, whenUnsure: 'fail' }, input, replies: nonsense });
  expect(await codeOf(() => executeRouter.execute(fail.context))).toBe('ROUTER_UNDECIDED');
  const broken = fakeContext(router, { config: { ...base, whenUnsure: 'fallback', fallback: 'gone' }, input, replies: nonsense });
  expect(await codeOf(() => executeRouter.execute(broken.context))).toBe('ROUTER_NO_FALLBACK');
});

test('a low confidence did not count, or its distance was not shown', async () => {
  const fake = fakeContext(router, {
    config: { ...base, minConfidence: 0.6 },
    input,
    replies: [{ object: { route: 'code', reason: 'maybe', confidence: 0.4 } }],
  });
  expect(await executeRouter.execute(fake.context)).toMatchObject({ port: 'unsure', output: { confidence: 0.4 } });
  expect(fake.decisions[0]?.because).toMatchObject([{ holds: true }, { name: 'confidence', value: 0.4, threshold: 0.6, holds: false }]);
});
