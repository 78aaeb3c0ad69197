/** The part of a keyboard event that decides. */
export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export interface Shortcut {
  mod: boolean;
  shift: boolean;
  alt: boolean;
  key: string;
}

/** Keys that need Shift on some layouts to be typed at all; for them Shift says nothing. */
const symbols = new Set(['+', '-', '?', '=', '[', ']', '.', ',']);

/** `Mod+Shift+Z` as parts; `Mod` is Control, or Command on a Mac. */
export function parseShortcut(text: string): Shortcut {
  const plus = text.endsWith('++') || text === '+';
  const parts = (plus ? text.slice(0, -1) : text).split('+').filter((part) => part !== '');
  const key = plus ? '+' : (parts.pop() ?? '');
  const has = (name: string): boolean => parts.includes(name);
  return { mod: has('Mod'), shift: has('Shift'), alt: has('Alt'), key: key.length === 1 ? key.toLowerCase() : key };
}

/** Browsers report Shift+Z as "Z" (BR-02), and Alt on a Mac changes the letter: single letters are compared without case, with the key's code as help. */
export function matchesShortcut(shortcut: Shortcut, press: KeyPress): boolean {
  const { key, mod, shift, alt } = shortcut;
  if ((press.ctrlKey || press.metaKey) !== mod || press.altKey !== alt) return false;
  if (!symbols.has(key) && press.shiftKey !== shift) return false;
  const pressed = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (pressed === key) return true;
  if (key.length !== 1 || press.code === undefined) return false;
  return press.code === `Key${key.toUpperCase()}` || (shift && press.code === `Digit${key}`) || (alt && press.code === `Digit${key}`);
}

const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const keyNames: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  Delete: 'Del',
  Backspace: '⌫',
};

/** A shortcut as people read it on their machine. */
export function showShortcut(text: string, mac: boolean): string {
  const { mod, shift, alt, key } = parseShortcut(text);
  const names = [mod ? 'Mod' : '', shift ? 'Shift' : '', alt ? 'Alt' : ''].filter(Boolean);
  const shown = names.map((name) => (mac ? (macNames[name] ?? name) : name === 'Mod' ? 'Ctrl' : name));
  const last = keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return mac ? [...shown, last].join('') : [...shown, last].join('+');
}

export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Where a person is writing, keys belong to the text (BR-10). */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !['button', 'checkbox', 'radio', 'range', 'submit'].includes(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target.closest('[contenteditable="true"], [contenteditable=""], .monaco-editor, [role="textbox"]') !== null;
}
