import { readCommandLine, splitAssignments } from './command-line';

/** The program of a command, by its bare name: no folder, no `.exe`, lower case. */
export const programName = (word: string): string => (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');

/** Programs that run the rest of their arguments as a command, and those of their options that take a value. */
const wrappers: Readonly<Record<string, readonly string[]>> = {
  sudo: ['-u', '-g', '-h', '-p', '-c', '-r', '-t', '-D', '--user', '--group'],
  doas: ['-u', '-C'],
  env: ['-u', '-C', '--unset', '--chdir'],
  nohup: [],
  setsid: [],
  command: [],
  builtin: [],
  exec: ['-a'],
  time: ['-f', '-o'],
  nice: ['-n', '--adjustment'],
  ionice: ['-c', '-n', '-p'],
  stdbuf: ['-i', '-o', '-e'],
  timeout: ['-s', '-k', '--signal', '--kill-after'],
  xargs: ['-I', '-n', '-P', '-d', '-E', '-L', '-s', '-a', '--max-args', '--max-procs', '--delimiter'],
  busybox: [],
  toybox: [],
  watch: ['-n', '--interval'],
};
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);
/** Wrappers whose first plain argument is their own. */
const ownArgument = new Set(['timeout']);
const maxDepth = 8;

const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

/** Where the wrapped command begins. */
function innerStart(program: string, words: readonly string[]): number {
  const valued = wrappers[program] ?? [];
  let at = 1;
  let own = ownArgument.has(program);
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      at += 1;
      if (!own) return at;
      continue;
    }
    if (isOption(word)) {
      if (valued.includes(word)) at += 1;
      continue;
    }
    if (!own) return at;
    own = false;
  }
  return at;
}

/** Commands that `find` runs on what it finds. */
function findActions(words: readonly string[]): string[][] {
  const commands: string[][] = [];
  words.forEach((word, at) => {
    if (!['-exec', '-execdir', '-ok', '-okdir'].includes(word)) return;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((part) => part === ';' || part === '+');
    commands.push(end === -1 ? rest : rest.slice(0, end));
  });
  // `find -delete` removes as `rm` does.
  if (words.includes('-delete')) commands.push(['rm', ...words.slice(1).filter((word) => !isOption(word))]);
  return commands;
}

/**
 * Every simple command that these words lead to: itself, and what it runs in turn (`sudo …`, `env A=b …`, `sh -c '…'`, `find -exec …`).
 * `null` stands for a script that cannot be read.
 */
export function unwrapCommand(words: readonly string[], depth = 0): (string[] | null)[] {
  const command = splitAssignments(words).words;
  const first = command[0];
  if (first === undefined) return [];
  if (depth >= maxDepth) return [null];
  const program = programName(first);
  const all: (string[] | null)[] = [command];
  const inside = (inner: readonly string[]): void => void all.push(...unwrapCommand(inner, depth + 1));
  if (Object.hasOwn(wrappers, program)) inside(command.slice(innerStart(program, command)));
  else if (program === 'find') for (const action of findActions(command)) inside(action);
  else if (shells.has(program)) {
    const flag = command.findIndex((word, at) => at > 0 && /^-[a-z]*c[a-z]*$/.test(word));
    const script = flag === -1 ? undefined : command[flag + 1];
    if (script !== undefined) all.push(...commandsOf(script, depth + 1));
  } else if (program === 'eval') all.push(...commandsOf(command.slice(1).join(' '), depth + 1));
  return all;
}

/** Every simple command of a line, also of one that needs a shell. `null` stands for a part that cannot be read. */
export function commandsOf(source: string, depth = 0): (string[] | null)[] {
  const line = readCommandLine(source);
  if (!line.ok) return [null];
  if (depth >= maxDepth) return [null];
  const segments: string[][] = [[]];
  const inner: (string[] | null)[] = [];
  for (const token of line.tokens) {
    if (token.kind === 'operator') segments.push([]);
    else segments.at(-1)?.push(token.text);
    if (token.kind === 'word' && token.expands === 'command') {
      for (const source of substitutions(token.text)) inner.push(...commandsOf(source, depth + 1));
    }
  }
  return [...segments.flatMap((words) => unwrapCommand(words, depth)), ...inner];
}

/** What stands in `$(…)` or backquotes. Reading it roughly is enough: such a line is never run here, only judged. */
const substitutions = (text: string): string[] =>
  [...text.matchAll(/\$\(([\s\S]*)\)|`([^`]*)`?/g)].map((match) => match[1] ?? match[2] ?? '');
