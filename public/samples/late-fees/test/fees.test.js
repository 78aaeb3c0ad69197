import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lateFee } from '../src/fees.js';

const at = (text) => new Date(`${text}Z`);

test('nothing is charged on the due day', () => {
  assert.equal(lateFee(at('2026-03-02T18:00'), at('2026-03-02T20:00')), 0);
});

test('nothing is charged on the last day of grace', () => {
  assert.equal(lateFee(at('2026-03-02T18:00'), at('2026-03-05T20:00')), 0);
});

test('the first day after grace costs one day, whatever the hour', () => {
  assert.equal(lateFee(at('2026-03-02T18:00'), at('2026-03-06T09:00')), 25);
});

test('ten days after grace cost ten days', () => {
  assert.equal(lateFee(at('2026-03-02T18:00'), at('2026-03-15T18:00')), 250);
});

test('no fee is higher than the limit', () => {
  assert.equal(lateFee(at('2026-01-02T18:00'), at('2026-12-30T18:00')), 1000);
});
