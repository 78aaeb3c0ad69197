import { conformanceCommand } from './conformance';
import { exportCommand, importCommand } from './flows';
import { nodesCommand, templatesCommand, validateCommand } from './inspect';
import { replayCommand } from './replay';
import { runCommand } from './run';
import { scenarioCommand } from './scenario';

export interface Command {
  arguments: string;
  summary: string;
  /** Returns the exit code: 0 only on success. */
  run(args: string[]): Promise<number>;
}

export const commands = {
  templates: templatesCommand,
  nodes: nodesCommand,
  validate: validateCommand,
  run: runCommand,
  export: exportCommand,
  import: importCommand,
  replay: replayCommand,
  scenario: scenarioCommand,
  conformance: conformanceCommand,
} satisfies Record<string, Command>;
