import { commandsOf, programName } from './unwrap-command';

export type CommandVerdict = 'allow' | 'ask' | 'block';

export interface CommandJudgement {
  verdict: CommandVerdict;
  /** The rule that decided, as it is written in the specification; `none` when none did. */
  rule: string;
  /** A sentence for the person or the model. */
  reason: string;
  /** The simple command that the rule met. */
  command: string[];
}

/** Rules beside the built-in ones: words that a command begins with, such as `docker push`. */
export interface CommandRules {
  block?: readonly string[];
  ask?: readonly string[];
}

type Rule = (program: string, args: readonly string[]) => string | null;

/** Letters of short options and names of long ones, up to `--`. */
function optionsOf(args: readonly string[]): { short: string; long: string[]; plain: string[] } {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  return {
    short: before.filter((word) => /^-[^-]/.test(word)).join(''),
    long: before.filter((word) => word.startsWith('--')),
    plain: [...before.filter((word) => !/^-./.test(word)), ...(end === -1 ? [] : args.slice(end + 1))],
  };
}

/** The whole disk or a whole home, in the ways it is written. */
const isRoot = (path: string): boolean => /^(?:\/+(?:\.{1,2}\/*)*)\*?$/.test(path);
const isHome = (path: string): boolean => /^(?:~[\w-]*|\$HOME|\$\{HOME\})\/*\*?$/.test(path);

const blocked: readonly Rule[] = [
  (program, args) => {
    if (program !== 'rm') return null;
    const { short, long, plain } = optionsOf(args);
    const recursive = /r/i.test(short) || long.some((word) => /^--recursive$/i.test(word));
    const force = /f/i.test(short) || long.some((word) => /^--force$/i.test(word));
    if (!recursive || !force) return null;
    if (plain.some(isRoot)) return 'rm -rf /';
    return plain.some(isHome) ? 'rm -rf ~' : null;
  },
  (program, args) => (program === 'format' && args.some((word) => /^[cd]:[\\/]?$/i.test(word)) ? 'format c: or d:' : null),
  (program, args) => (program === 'dd' && args.some((word) => /^of=\/dev\/(?:sd|hd|nvme)/i.test(word)) ? 'dd onto sd, hd or nvme' : null),
  (program, args) => {
    const { plain } = optionsOf(args);
    return program === 'chmod' && plain.some((word) => /^0?777$/.test(word)) && plain.some(isRoot) ? 'chmod 777 /' : null;
  },
  (program, args) => (/^mkfs(?:\.|$)/.test(program) && args.some((word) => /^\/dev\//i.test(word)) ? 'mkfs /dev/' : null),
];

const askedPrograms = new Set([
  'rm',
  'del',
  'erase',
  'rmdir',
  'shred',
  'truncate',
  'dropdb',
  'chmod',
  'chown',
  'killall',
  'pkill',
  'poweroff',
  'reboot',
  'shutdown',
]);

/** Options of git that stand before its subcommand and take a value. */
const gitValued = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

function gitCommand(args: readonly string[]): string[] {
  let at = 0;
  while (at < args.length && args[at]?.startsWith('-')) at += gitValued.has(args[at] ?? '') ? 2 : 1;
  return args.slice(at);
}

/** The first words that are no options, as `npm --silent publish` says the same as `npm publish`. */
const plainWords = (args: readonly string[]): string[] => args.filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase());

const asked: readonly Rule[] = [
  (program) => (askedPrograms.has(program) ? program : null),
  (program) => (/^mkfs(?:\.|$)/.test(program) ? 'mkfs' : null),
  // In the words of an SQL client the statement is one argument, or a few.
  (_program, args) => (/\bdrop\s+database\b/i.test(args.join(' ')) ? 'drop database' : null),
  (program, args) => {
    if (program !== 'kill') return null;
    const named = args.some((word) => /^-(?:9|(?:sig)?kill)$/i.test(word));
    const at = args.findIndex((word) => ['-s', '-n', '--signal'].includes(word));
    const given = at !== -1 && /^(?:9|(?:sig)?kill)$/i.test(args[at + 1] ?? '');
    return named || given || args.some((word) => /^--signal=(?:9|(?:sig)?kill)$/i.test(word)) ? 'kill -9' : null;
  },
  (program, args) => {
    if (program !== 'git') return null;
    const [command, ...rest] = gitCommand(args);
    if (command === 'push' || command === 'clean') return `git ${command}`;
    return command === 'reset' && rest.includes('--hard') ? 'git reset --hard' : null;
  },
  (program, args) => (/^(?:npm|pnpm|yarn|bun)$/.test(program) && plainWords(args)[0] === 'publish' ? 'npm publish' : null),
  (program, args) => {
    const words = plainWords(args);
    if (/^pip[\d.]*$/.test(program)) return words[0] === 'uninstall' ? 'pip uninstall' : null;
    const asModule = /^(?:python[\d.]*|py)$/.test(program) && args.some((word, at) => word === '-m' && args[at + 1] === 'pip');
    return (asModule || program === 'uv') && words.includes('pip') && words.includes('uninstall') ? 'pip uninstall' : null;
  },
];

const startsWith = (rule: string, command: readonly string[]): boolean => {
  const words = rule.trim().split(/\s+/);
  return words.every((word, at) => (at === 0 ? programName(command[0] ?? '') === word.toLowerCase() : command[at] === word));
};

function judge(command: readonly string[], rules: CommandRules): { verdict: CommandVerdict; rule: string } {
  const program = programName(command[0] ?? '');
  const args = command.slice(1);
  const first = (list: readonly Rule[], more: readonly string[] | undefined): string | undefined => {
    for (const rule of list) {
      const met = rule(program, args);
      if (met !== null) return met;
    }
    return more?.find((rule) => rule.trim() !== '' && startsWith(rule, command));
  };
  const block = first(blocked, rules.block);
  if (block !== undefined) return { verdict: 'block', rule: block };
  const ask = first(asked, rules.ask);
  return ask === undefined ? { verdict: 'allow', rule: 'none' } : { verdict: 'ask', rule: ask };
}

const rank: Record<CommandVerdict, number> = { allow: 0, ask: 1, block: 2 };

/**
 * Judges a command by its words, never by a part of its text: `npm run confirm x` is no `rm`. Every command of the line counts, also those
 * that another one runs (`sudo`, `sh -c`, `find -exec`), and the worst verdict stands (planning.md §13, G5).
 */
export function classifyCommand(source: string, rules: CommandRules = {}): CommandJudgement {
  let worst: CommandJudgement = { verdict: 'allow', rule: 'none', reason: 'No rule speaks against it.', command: [] };
  for (const command of commandsOf(source)) {
    const found: CommandJudgement =
      command === null
        ? { verdict: 'ask', rule: 'unreadable', reason: 'A part of it cannot be read as a command.', command: [] }
        : { ...judge(command, rules), reason: '', command };
    if (rank[found.verdict] <= rank[worst.verdict]) continue;
    const shown = found.command.join(' ');
    worst =
      found.rule === 'unreadable'
        ? found
        : {
            ...found,
            reason:
              found.verdict === 'block'
                ? `"${shown}" is never run (rule: ${found.rule}).`
                : `"${shown}" needs approval (rule: ${found.rule}).`,
          };
  }
  return worst;
}
