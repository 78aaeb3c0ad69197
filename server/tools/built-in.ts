import type { OutboundClient } from '../outbound/client';
import { calculator } from './calculator';
import { currentTime } from './current-time';
import type { AnyTool } from './define-tool';
import { directoryTree } from './directory-tree';
import { createFetchUrl } from './fetch-url';
import { grepFiles } from './grep-files';
import { listDirectory } from './list-directory';
import { readFileTool } from './read-file';

/** The tools every host has. */
export const builtInTools = (outbound: OutboundClient): AnyTool[] => [
  listDirectory,
  directoryTree,
  grepFiles,
  readFileTool,
  createFetchUrl(outbound),
  calculator,
  currentTime,
];
