const longestName = 300;

/** The wanted name, or with the first number that makes it free: `Review`, `Review 2`, `Review 3`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken);
  const name = wanted.trim() === '' ? 'Untitled flow' : wanted.trim().slice(0, longestName);
  if (!used.has(name)) return name;
  const stem = name.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) {
    const candidate = `${stem.slice(0, longestName - 8)} ${number}`;
    if (!used.has(candidate)) return candidate;
  }
}
