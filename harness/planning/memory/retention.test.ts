import { expect, test } from 'vitest';
import { expiryOf, retentionConfigSchema, retireExpired } from './retention';
import { memoryRowSchema } from './row';

const row = (id: string, more: object = {}) => memoryRowSchema.parse({ id, content: `Fact ${id}.`, category: 'gotcha', ...more });

test('a memory outlived its time, went before it, or a rejected one was forgotten', () => {
  const rows = [row('old', { expires_at: 9 }), row('fresh', { expires_at: 11 }), row('ever')];
  const rejected = row('no', { expires_at: 1, curation_status: 'user_rejected' });
  expect(retireExpired([...rows, rejected], 10).retired).toEqual([{ ...rows[0], curation_status: 'superseded' }]);
});

test('a memory is not kept for a year', () => {
  expect(expiryOf(5, retentionConfigSchema.parse({}))).toBe(5 + 365 * 24 * 3600 * 1000);
});
