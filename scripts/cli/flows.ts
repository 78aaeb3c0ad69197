import { readArguments, readText, UsageError } from './arguments';
import type { Command } from './commands';
import { print, progress } from './output';
import { withHost } from './with-host';

export const exportCommand: Command = {
  arguments: 'FLOW',
  summary: 'Prints a stored flow as canonical JSON',
  async run(args) {
    const { words } = readArguments(args, {});
    const [id] = words;
    if (id === undefined || words.length > 1) throw new UsageError('Name one flow by its id (bridle export flow-…).');
    return withHost(async ({ services }) => {
      print(services.flows.export(id).text);
      return 0;
    });
  },
};

export const importCommand: Command = {
  arguments: 'FILE',
  summary: 'Stores a flow file as a flow of its own; prints its id',
  async run(args) {
    const { words } = readArguments(args, {});
    const [file] = words;
    if (file === undefined || words.length > 1) throw new UsageError('Name one flow file, or - for standard input.');
    return withHost(async ({ services }) => {
      const { id, name, notices } = services.flows.import(readText(file));
      for (const notice of notices) progress(notice);
      progress(`Stored as "${name}".`);
      print(id);
      return 0;
    });
  },
};
