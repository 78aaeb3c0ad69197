import { toErrorRecord } from '@/harness/contract/errors';
import { UsageError } from './cli/arguments';
import { commands } from './cli/commands';
import { print, printJson } from './cli/output';

// npm run -s bridle -- <command>: progress on stderr, results on stdout, exit 0 only on success

const usage = `Usage: bridle <command>

${Object.entries(commands)
  .map(([name, command]) => `  ${`${name} ${command.arguments}`.padEnd(62)} ${command.summary}`)
  .join('\n')}
`;

let wantsJson = false;

async function main(): Promise<number> {
  const [name = '', ...rest] = process.argv.slice(2);
  if (name === '' || name === 'help' || name === '--help') {
    print(usage);
    return name === '' ? 2 : 0;
  }
  wantsJson = rest.includes('--json');
  const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}".\n\n${usage}`);
  if (rest.includes('--help')) {
    print(`Usage: bridle ${name} ${command.arguments}\n\n${command.summary}`);
    return 0;
  }
  return command.run(rest);
}

// Whoever reads the results may have read enough (`| head`).
process.stdout.on('error', () => process.exit(1));

// A process whose event loop runs dry in the middle of a command would otherwise end as if it had succeeded.
process.exitCode = 1;
let ended = false;
process.on('beforeExit', () => {
  if (!ended) console.error('The command stopped before it was done: nothing was left to wait for.');
});

main().then(
  (code) => {
    ended = true;
    process.exitCode = code;
    // Handles that libraries leave open must not keep a finished command alive; what was printed is flushed first.
    process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
  },
  (thrown: unknown) => {
    ended = true;
    const wrongUse = thrown instanceof UsageError;
    const { code, message, kind, details } = toErrorRecord(thrown);
    // Who asked for JSON gets JSON, also when there is no result.
    if (wantsJson && !wrongUse)
      printJson({
        ok: false,
        status: code === 'FLOW_NOT_RUNNABLE' ? 'refused' : 'error',
        error: { code, kind, message, ...(details === undefined ? {} : { details }) },
      });
    console.error(wrongUse ? message : `${code}: ${message}`);
    if (!wrongUse && kind === 'unexpected' && thrown instanceof Error) console.error(thrown.stack);
    process.stdout.write('', () => process.exit(wrongUse ? 2 : 1));
  },
);
