const maxLength = 500;

/**
 * Why a regular expression may not be used, or null. The engine of JavaScript backtracks, so one hostile pattern in an imported flow could stall
 * the process: repeats inside repeats, alternatives inside repeats and back-references are refused.
 */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > maxLength) return `The pattern is longer than ${maxLength} characters.`;
  try {
    new RegExp(pattern);
  } catch {
    return `"${pattern}" is not a valid regular expression.`;
  }
  return riskOf(pattern)
    ? `The pattern "${pattern}" could take very long (a repeat around a repeat or an alternative). Write it without.`
    : null;
}

interface Group {
  risky: boolean;
}

function riskOf(pattern: string): boolean {
  const groups: Group[] = [{ risky: false }];
  let closed: Group | null = null;
  let repeats = 0;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    const before = closed;
    closed = null;
    if (char === '\\') {
      if (/[1-9k]/.test(pattern[index + 1] ?? '')) return true;
      index++;
    } else if (char === '[') {
      index = classEnd(pattern, index);
    } else if (char === '(') {
      groups.push({ risky: false });
    } else if (char === ')') {
      closed = groups.pop() ?? null;
      const outer = groups.at(-1);
      if (outer && closed?.risky) outer.risky = true;
    } else if (char === '|') {
      const group = groups.at(-1);
      if (group) group.risky = true;
    } else if (isRepeat(pattern, index)) {
      if (before?.risky) return true;
      if (pattern[index - 1] === '(') continue;
      const group = groups.at(-1);
      if (group) group.risky = true;
      if (++repeats > 20) return true;
    }
  }
  return false;
}

/** `?` after an item is no repeat of its own: it cannot multiply work. */
const isRepeat = (pattern: string, index: number): boolean => {
  const char = pattern[index];
  return char === '*' || char === '+' || (char === '{' && /^\{\d+(,\d*)?\}/.test(pattern.slice(index, index + 20)));
};

function classEnd(pattern: string, from: number): number {
  for (let index = from + 1; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++;
    else if (pattern[index] === ']') return index;
  }
  return pattern.length;
}
