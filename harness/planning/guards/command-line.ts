/** A piece of a command line. `expands` names what a shell would have put in its place, and what therefore is not there. */
export type CommandToken =
  | { kind: 'word'; text: string; expands: 'variable' | 'command' | 'home' | 'pattern' | null }
  | { kind: 'operator'; text: string };

export type CommandLine = { ok: true; tokens: CommandToken[] } | { ok: false; problem: string };

const operators = ['&&', '||', '|&', ';;', '<<<', '<<', '>>', '>&', '<&', '&>', '|', '&', ';', '<', '>', '(', ')', '\n'];
const blank = /[ \t\r]/;
const variable = /^\$(?:[A-Za-z_0-9{@*#?!$-])/;

/**
 * Splits a command line into words and shell operators, and expands nothing. Quotes work as in a POSIX shell: `'…'` takes everything as it is,
 * `"…"` lets `\` escape `"`, `\`, `$` and `` ` ``; outside of quotes `\` escapes the next character. Joined pieces are one word.
 */
export function readCommandLine(source: string): CommandLine {
  const tokens: CommandToken[] = [];
  let at = 0;
  let word: string | null = null;
  let expands: Extract<CommandToken, { kind: 'word' }>['expands'] = null;
  const add = (text: string): void => {
    word = (word ?? '') + text;
  };
  const finish = (): void => {
    if (word !== null) tokens.push({ kind: 'word', text: word, expands });
    word = null;
    expands = null;
  };
  /** What a shell replaces also within double quotes; a command inside of the command is taken whole. */
  const substitution = (): boolean => {
    const rest = source.slice(at, at + 2);
    if (rest !== '$(' && !rest.startsWith('`')) {
      if (variable.test(rest)) expands ??= 'variable';
      return false;
    }
    const end = endOfSubstitution(source, at);
    expands = 'command';
    add(source.slice(at, end));
    at = end;
    return true;
  };

  if (source.includes('\0')) return { ok: false, problem: 'it holds a NUL character' };
  while (at < source.length) {
    const char = source.charAt(at);
    const rest = source.slice(at, at + 3);
    if (blank.test(char)) {
      finish();
      at += 1;
      continue;
    }
    if (char === "'") {
      const end = source.indexOf("'", at + 1);
      if (end === -1) return { ok: false, problem: "a ' is not closed" };
      add(source.slice(at + 1, end));
      at = end + 1;
      continue;
    }
    if (char === '"') {
      add('');
      at += 1;
      for (;;) {
        const inner = source.charAt(at);
        if (inner === '') return { ok: false, problem: 'a " is not closed' };
        if (inner === '"') break;
        if (inner === '\\' && /["\\$`\n]/.test(source.charAt(at + 1))) {
          if (source.charAt(at + 1) !== '\n') add(source.charAt(at + 1));
          at += 2;
          continue;
        }
        if (substitution()) continue;
        add(inner);
        at += 1;
      }
      at += 1;
      continue;
    }
    if (char === '\\') {
      const next = source.charAt(at + 1);
      if (next === '') return { ok: false, problem: 'it ends with a \\' };
      if (next !== '\n') add(next);
      at += 2;
      continue;
    }
    if (char === '#' && word === null) {
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end;
      continue;
    }
    if (substitution()) continue;
    const operator = operators.find((text) => rest.startsWith(text));
    if (operator !== undefined) {
      finish();
      tokens.push({ kind: 'operator', text: operator });
      at += operator.length;
      continue;
    }
    if (char === '~' && word === null) expands ??= 'home';
    if (char === '*') expands ??= 'pattern';
    add(char);
    at += 1;
  }
  finish();
  return { ok: true, tokens: trimLines(tokens) };
}

/** The place after `$(…)` with its brackets balanced, or after the closing backquote; the end of the text when it never closes. */
function endOfSubstitution(source: string, start: number): number {
  if (source.charAt(start) === '`') {
    const end = source.indexOf('`', start + 1);
    return end === -1 ? source.length : end + 1;
  }
  let depth = 0;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source.charAt(at) === '(') depth += 1;
    else if (source.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

/** Line breaks at either end separate nothing. */
function trimLines(tokens: CommandToken[]): CommandToken[] {
  const isBreak = (token: CommandToken | undefined): boolean => token?.kind === 'operator' && token.text === '\n';
  let from = 0;
  let to = tokens.length;
  while (from < to && isBreak(tokens[from])) from += 1;
  while (to > from && isBreak(tokens[to - 1])) to -= 1;
  return tokens.slice(from, to);
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

/** Takes `NAME=value` words off the front of a command. */
export function splitAssignments(words: readonly string[]): { variables: Record<string, string>; words: string[] } {
  const variables: Record<string, string> = {};
  let at = 0;
  for (; at < words.length; at += 1) {
    const match = assignment.exec(words[at] ?? '');
    if (match === null) break;
    variables[match[1] ?? ''] = match[2] ?? '';
  }
  return { variables, words: words.slice(at) };
}

export type RunnableCommand = { ok: true; argv: [string, ...string[]]; variables: Record<string, string> } | { ok: false; problem: string };

const expansionProblem: Record<'variable' | 'command' | 'home' | 'pattern', string> = {
  variable: 'variables are not filled in',
  command: 'commands inside of commands are not run',
  home: '~ is not expanded',
  pattern: '* is not expanded to file names; put it in quotes to pass it as it is, or name the files',
};

/** The arguments of one program, as they are handed to it without a shell. A line that needs a shell is a problem, in words for its author. */
export function runnableCommand(source: string): RunnableCommand {
  const line = readCommandLine(source);
  if (!line.ok) return line;
  const words: string[] = [];
  for (const token of line.tokens) {
    if (token.kind === 'operator') {
      const shown = token.text === '\n' ? 'a second line' : `"${token.text}"`;
      return { ok: false, problem: `no shell is used, so ${shown} has no meaning; run one program at a time` };
    }
    if (token.expands !== null) {
      return { ok: false, problem: `no shell is used, so "${token.text}" cannot be resolved: ${expansionProblem[token.expands]}` };
    }
    words.push(token.text);
  }
  const split = splitAssignments(words);
  const [program, ...rest] = split.words;
  if (program === undefined || program === '') return { ok: false, problem: 'it names no program' };
  return { ok: true, argv: [program, ...rest], variables: split.variables };
}

/** Writes arguments so that `runnableCommand` reads the same ones back. */
export const commandText = (argv: readonly string[]): string =>
  argv.map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
