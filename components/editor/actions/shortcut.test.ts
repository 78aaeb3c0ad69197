import { describe, expect, test } from 'vitest';
import { type KeyPress, matchesShortcut, parseShortcut, showShortcut } from './shortcut';

const press = (key: string, parts: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...parts,
});
const matches = (text: string, event: KeyPress): boolean => matchesShortcut(parseShortcut(text), event);

describe('shortcuts', () => {
  test('BR-02: Shift+Z arrives as "Z" and still means redo, not undo', () => {
    const event = press('Z', { ctrlKey: true, shiftKey: true });
    expect(matches('Mod+Shift+Z', event)).toBe(true);
    expect(matches('Mod+Z', event)).toBe(false);
  });

  test('caps lock does not turn undo off', () => {
    expect(matches('Mod+Z', press('Z', { ctrlKey: true }))).toBe(true);
  });

  test('Command is Mod too', () => {
    expect(matches('Mod+Y', press('y', { metaKey: true }))).toBe(true);
  });

  test('a bare key does not fire with a modifier held', () => {
    expect(matches('L', press('l', { ctrlKey: true }))).toBe(false);
    expect(matches('Delete', press('Delete', { altKey: true }))).toBe(false);
  });

  test('symbols work with or without Shift, as layouts differ', () => {
    expect(matches('?', press('?', { shiftKey: true }))).toBe(true);
    expect(matches('+', press('+', { shiftKey: true }))).toBe(true);
    expect(matches('+', press('+'))).toBe(true);
    expect(matches('Mod++', press('+', { ctrlKey: true }))).toBe(true);
  });

  test('Shift+1 is found although it types an exclamation mark', () => {
    expect(matches('Shift+1', press('!', { shiftKey: true, code: 'Digit1' }))).toBe(true);
  });

  test('a letter changed by Alt is found by its key', () => {
    expect(matches('Alt+L', press('¬', { altKey: true, code: 'KeyL' }))).toBe(true);
  });

  test('shortcuts read as on the machine', () => {
    expect(showShortcut('Mod+Shift+Z', true)).toBe('⌘⇧Z');
    expect(showShortcut('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z');
    expect(showShortcut('ArrowLeft', false)).toBe('←');
  });
});
