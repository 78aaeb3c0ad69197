const cjk = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
const cjkGlobal = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

export const containsCjk = (text: string): boolean => cjk.test(text);

/** Words between white space, punctuation kept; scripts without spaces give one token per character (layers.md R4). */
export function tokenise(text: string): string[] {
  const spaced = cjk.test(text) ? text.replace(cjkGlobal, ' $& ') : text;
  return spaced.split(/\s+/).filter((token) => token !== '');
}

/** Lower-cased word set by plain white space, as the scope rules of R7 compare descriptions with criteria. */
export const wordSet = (text: string): Set<string> => new Set(text.toLowerCase().split(/\s+/));

export function sharesWord(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  for (const word of left) {
    if (right.has(word)) return true;
  }
  return false;
}
