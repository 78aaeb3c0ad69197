/**
 * How well names fit what was typed: called exactly so, then beginning so, then with a word that begins so. null when none does, and only letters
 * scattered over them may fit. 0 to 1.
 */
export function rankByName(search: string, names: readonly string[]): number | null {
  const wanted = search.trim().toLowerCase();
  const words = names.map((name) => name.toLowerCase());
  if (words.includes(wanted)) return 1;
  if (words.some((word) => word.startsWith(wanted))) return 0.9;
  return words.some((word) => word.includes(` ${wanted}`)) ? 0.8 : null;
}
