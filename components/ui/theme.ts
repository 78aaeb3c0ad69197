'use client';

import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';
const storageKey = 'bridle.theme';

const isChoice = (value: unknown): value is ThemeChoice => value === 'system' || value === 'light' || value === 'dark';

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return isChoice(stored) ? stored : 'system';
  } catch {
    return 'system'; // storage may be blocked; the system's theme is then the answer
  }
}

const systemIsDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;
const resolve = (choice: ThemeChoice): 'light' | 'dark' => (choice === 'system' ? (systemIsDark() ? 'dark' : 'light') : choice);

const listeners = new Set<() => void>();

function apply(): void {
  const resolved = resolve(readChoice());
  document.documentElement.classList.toggle('dark', resolved === 'dark');
  document.documentElement.dataset.theme = resolved;
  for (const listener of listeners) listener();
}

export function setTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // not kept, but still applied below for this page
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
    addEventListener('storage', apply);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', apply);
    removeEventListener('storage', apply);
  };
}

/** The chosen and the shown theme. On the server both are the default; the class on `html` is set before paint. */
export function useTheme(): { choice: ThemeChoice; resolved: 'light' | 'dark' } {
  const choice = useSyncExternalStore(subscribe, readChoice, (): ThemeChoice => 'system');
  const resolved = useSyncExternalStore(
    subscribe,
    () => resolve(readChoice()),
    (): 'light' | 'dark' => 'light',
  );
  return { choice, resolved };
}
