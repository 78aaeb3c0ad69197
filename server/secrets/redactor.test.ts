import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor';

const canary = 'CANARY-7f3a';
const redactor = createRedactor([{ name: 'API', value: canary }]);

describe('redactor', () => {
  it.each([
    ['as it is', `key ${canary}!`],
    ['as base64', Buffer.from(canary).toString('base64')],
    ['as base64url', Buffer.from(canary).toString('base64url')],
    ['in basic credentials, one byte shifted', Buffer.from(`u:${canary}`).toString('base64')],
    ['in basic credentials, two bytes shifted', Buffer.from(`user:${canary}:x`).toString('base64')],
    ['as hex', Buffer.from(canary).toString('hex')],
    ['in a query', `https://x.test/?q=${encodeURIComponent(canary)}`],
  ])('removes the value %s', (_name, text) => {
    const clean = redactor.text(text);
    expect(clean).toContain('[secret API]');
    expect(clean).not.toContain(canary);
  });

  it('removes values with quotes, line breaks and signs from JSON inside JSON and from addresses', () => {
    const value = 'p"a\\ss\nwörd &/+=?';
    const own = createRedactor([{ name: 'PASSWORD', value }]);
    const written = JSON.stringify({ inner: JSON.stringify({ value }) });
    for (const text of [
      written,
      JSON.stringify({ value }),
      `q=${encodeURIComponent(value)}`,
      `q=${encodeURIComponent(value).replaceAll('%20', '+')}`,
    ]) {
      expect(own.text(text)).toContain('[secret PASSWORD]');
    }
  });

  it('removes the value from keys, lists and numbers at any depth and keeps the rest', () => {
    const own = createRedactor([
      { name: 'API', value: canary },
      { name: 'PIN', value: '482913' },
    ]);
    const clean = own.json({ [`x-${canary}`]: [1, null, true, { deep: [`Bearer ${canary}`] }], pin: 482913, other: 'text' });
    expect(clean).toEqual({ 'x-[secret API]': [1, null, true, { deep: ['Bearer [secret API]'] }], pin: '[secret PIN]', other: 'text' });
  });

  it('gives the very same object back when there is nothing to remove, so that events are not copied', () => {
    const value = { a: [{ b: 'plain' }] };
    expect(redactor.json(value)).toBe(value);
  });

  it('takes the longest secret first where one holds another', () => {
    const own = createRedactor([
      { name: 'SHORT', value: 'abcd' },
      { name: 'LONG', value: 'abcd-efgh' },
    ]);
    expect(own.text('abcd-efgh abcd')).toBe('[secret LONG] [secret SHORT]');
  });

  it('does not look for values too short to be told from ordinary text', () => {
    expect(createRedactor([{ name: 'TINY', value: 'a' }]).text('banana')).toBe('banana');
  });

  it('leaves nothing of any secret in any JSON around it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 40 }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!'[secret NAME]'.includes(value) && value.trim().length >= 6);
        const own = createRedactor([{ name: 'NAME', value }]);
        const clean = JSON.stringify(
          own.json({ text: before + value + after, list: [value], coded: Buffer.from(value).toString('base64') }),
        );
        const inside = JSON.stringify(value).slice(1, -1);
        return !clean.includes(inside) && !clean.includes(Buffer.from(value).toString('base64'));
      }),
      { verbose: true },
    );
  });
});
