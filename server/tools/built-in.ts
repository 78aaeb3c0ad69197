import type { OutboundClient } from '../outbound/client';
import type { ConfiguredCommands } from '../workspace/detect-command';
import { calculator } from './calculator';
import { commandTools } from './command-tools';
import { createFile } from './create-file';
import { currentTime } from './current-time';
import type { AnyTool } from './define-tool';
import { createDetectCommands } from './detect-commands';
import { directoryTree } from './directory-tree';
import { editFile } from './edit-file';
import { createFetchUrl } from './fetch-url';
import { grepFiles } from './grep-files';
import { listDirectory } from './list-directory';
import { readFileTool } from './read-file';
import { createRunCheck } from './run-check';

/** The tools every host has. `commands` are what a person gave the server for checks of every workspace. */
export const builtInTools = (outbound: OutboundClient, commands: ConfiguredCommands = {}): AnyTool[] => [
  listDirectory,
  directoryTree,
  grepFiles,
  readFileTool,
  createFile,
  editFile,
  createDetectCommands(commands),
  createRunCheck(commands),
  ...commandTools(commands),
  createFetchUrl(outbound),
  calculator,
  currentTime,
];
