import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderScopeDocument, scopeDocumentSchema } from '../artefacts/scope-document';
import { afterFailedAttempt, defaultScopeSynthesisConfig, emptyTaskNote, fallbackScope, scopeContext } from './fallback';

describe('L13 scope synthesis fails twice', () => {
  test('the first failure is tried again with a note, the second falls back', () => {
    const first = afterFailedAttempt(1, 'problem: expected string');
    expect(first.next === 'retry' ? first.note : '').toContain('problem: expected string');
    const second = afterFailedAttempt(2, 'not JSON');
    expect(second.next).toBe('fallback');
    expect(second.decision).toMatchObject({
      rule: 'scope_fallback',
      because: [{ value: 2, operator: '<', threshold: 2, holds: false }, {}],
    });
    expect(afterFailedAttempt(1, 'x', { ...defaultScopeSynthesisConfig, retries: 0 }).next).toBe('fallback');
  });

  test('the fallback has the problem, one assumption, one risk, and nothing else', () => {
    const { scope, synthesized, warnings } = fallbackScope('  Add a password reset.\n', 'not JSON');
    expect(synthesized).toBe(false);
    expect(scope.problem).toBe('Add a password reset.');
    expect([scope.assumptions.length, scope.risks.length]).toEqual([1, 1]);
    expect([scope.deliverables, scope.in_scope, scope.out_of_scope, scope.downstream_consumers, scope.success_criteria].flat()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(renderScopeDocument(scope).split('(none identified)')).toHaveLength(6);
  });

  test('any task gives a valid scope of at most 4,000 characters (bug: an empty or endless task stops the run)', () => {
    const task = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(' \n'), fc.constant(`${'x'.repeat(3999)}😀 tail`));
    fc.assert(
      fc.property(task, (text) => {
        const { scope } = fallbackScope(text, 'e');
        expect(scopeDocumentSchema.parse(scope)).toEqual(scope);
        expect(scope.problem.length).toBeLessThanOrEqual(4000);
        expect(scope.problem.length).toBeGreaterThan(0);
        if (!/\p{Cs}/u.test(text)) expect(scope.problem).not.toMatch(/\p{Cs}/u);
      }),
      { seed: 20_260_302 },
    );
    expect(fallbackScope(' ', 'e').scope.problem).toBe(emptyTaskNote);
    expect(fallbackScope('y'.repeat(4001), 'e').scope.problem).toHaveLength(4000);
  });

  test('the model sees the first 8,000 characters of the context', () => {
    expect(scopeContext('c'.repeat(9000))).toHaveLength(8000);
  });
});
