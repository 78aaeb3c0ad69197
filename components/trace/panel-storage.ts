/** Sizes of panels in this browser; nothing is remembered while the server renders, nor where storage is refused. */
export const panelStorage = {
  getItem(key: string): string | null {
    try {
      return globalThis.localStorage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  },
  setItem(key: string, value: string): void {
    try {
      globalThis.localStorage?.setItem(key, value);
    } catch {
      // sizes are a convenience; they start from their defaults next time
    }
  },
};
