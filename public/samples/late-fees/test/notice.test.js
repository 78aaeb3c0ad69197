import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notice } from '../src/notice.js';

const at = (text) => new Date(`${text}Z`);

test('a loan that is back in time has nothing to pay', () => {
  assert.equal(notice('Emma', at('2026-03-02T18:00'), at('2026-03-02T12:00')), '"Emma" is back. Nothing is due.');
});

test('a late loan names the sum', () => {
  assert.equal(notice('Emma', at('2026-03-02T18:00'), at('2026-03-07T18:00')), '"Emma" is back late. Please pay 0.50.');
});
