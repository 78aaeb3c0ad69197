import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findClaims, hasUnverifiedMark } from './claims';

describe('claims without a look (L20)', () => {
  it.each([
    ['This API was deprecated in 2021.', 'deprecation'],
    ['`foo` has been deprecated.', 'deprecation'],
    ['It uses a deprecated method, so the test fails.', 'deprecation'],
    ['That was removed in v3 of the library.', 'deprecation'],
    ['The function parseAll does not exist.', 'non_existence'],
    ["The option doesn't exist in this release.", 'non_existence'],
    ['The module doesn’t seem to exist.', 'non_existence'],
    ['There is no such method on the client.', 'non_existence'],
    ['There is no built-in function for that.', 'non_existence'],
    ['The driver does not support transactions.', 'non_support'],
    ['Streaming is not yet supported.', 'non_support'],
    ['My training cutoff is before that.', 'training_cutoff'],
    ['As of my knowledge cut-off this is right.', 'training_cutoff'],
    ["I'll assume the library exports it.", 'assumption'],
    ['I assume that the requests package retries.', 'assumption'],
    ['I am assuming this framework caches.', 'assumption'],
  ])('%s is a claim of %s', (text, kind) => expect(findClaims(text).map((claim) => claim.kind)).toContain(kind));

  it.each([
    'All tests pass now.',
    'The test fails because the port is taken.',
    'I read the docs and the method takes two arguments.',
    'I assume nothing here.',
    'We support both forms.',
    'The supported versions are listed in the README.',
  ])('%s is none', (text) => expect(findClaims(text)).toEqual([]));

  it.each([
    'This file does not exist yet.',
    'The module does not exist; we will create it.',
    "tokens.js does not exist, so we'll create it.",
  ])('%s speaks of our own files', (text) => expect(findClaims(text)).toEqual([]));

  it('exempts up to 80 characters away and not one more', () => {
    const claim = 'it does not exist';
    const at = (distance: number) => `${claim}${'.'.repeat(distance)}this file`.replace('.this', ' this');
    expect(findClaims(at(80))).toEqual([]);
    expect(findClaims(at(81))).toHaveLength(1);
  });

  it('can be told to exempt nothing', () => expect(findClaims('This file does not exist.', { exemptionDistance: 0 })).toHaveLength(1));

  it('names places that are in the text, in order, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('does not exist', 'this file', 'is deprecated', ' ', 'x'.repeat(60), 'API')), (parts) => {
        const text = parts.join(' ');
        const claims = findClaims(text);
        for (const { index, match } of claims) expect(text.slice(index, index + match.length)).toBe(match);
        expect(claims.map(({ index }) => index)).toEqual(claims.map(({ index }) => index).sort((a, b) => a - b));
      }),
    );
  });
});

it('sees the mark of unverified statements as it is written', () => {
  expect(hasUnverifiedMark('The limit is 5 [UNVERIFIED].')).toBe(true);
  expect(hasUnverifiedMark('The limit is unverified.')).toBe(false);
});
