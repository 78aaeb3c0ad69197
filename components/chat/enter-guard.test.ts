import { describe, expect, it } from 'vitest';
import { createEnterGuard, type EnterKey } from './enter-guard';

const enter = (more: Partial<EnterKey> = {}): EnterKey => ({
  key: 'Enter',
  shiftKey: false,
  isComposing: false,
  keyCode: 13,
  timeStamp: 1000,
  ...more,
});

describe('Enter under an input method (BR-64)', () => {
  it('does not send the Enter that confirms a word, keydown before compositionend', () => {
    const guard = createEnterGuard();
    expect(guard.sends(enter({ isComposing: true, keyCode: 229 }))).toBe(false);
    guard.compositionEnd(1001);
    expect(guard.sends(enter({ timeStamp: 1002 }))).toBe(true);
  });

  it('does not send it in the Safari order either, compositionend before keydown', () => {
    const guard = createEnterGuard();
    guard.compositionEnd(1000);
    expect(guard.sends(enter({ timeStamp: 1001 }))).toBe(false);
    expect(guard.sends(enter({ timeStamp: 1002 }))).toBe(true);
  });

  it('does not swallow the next Enter when the word was confirmed by another key', () => {
    const guard = createEnterGuard();
    guard.compositionEnd(1000);
    guard.keyUp();
    expect(guard.sends(enter({ timeStamp: 1050 }))).toBe(true);
  });

  it('leaves Shift+Enter for a new line', () => {
    expect(createEnterGuard().sends(enter({ shiftKey: true }))).toBe(false);
  });
});
