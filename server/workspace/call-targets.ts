import { realpath } from 'node:fs/promises';
import { isBridleError } from '@/harness/contract/errors';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ToolTarget } from '@/harness/contract/tool';
import { resolveInside } from '../tools/workspace-root';
import { resolveForWrite } from './write-inside';

/** Fields of the built-in tools that name places of the workspace. */
const pathFields = ['path', 'file_path', 'paths', 'folder'] as const;
const maxPaths = 100;

/** The paths of a call as they are on disk now; `null` when the folder is not there. Nothing is read or followed out of the folder. */
export async function callTargets(workspace: string, input: Json): Promise<{ root: string; paths: ToolTarget[] } | null> {
  const root = await realpath(workspace).catch(() => null);
  if (root === null) return null;
  const named = isJsonObject(input) ? pathFields.flatMap((field) => strings(input[field])) : [];
  return { root, paths: await Promise.all(named.slice(0, maxPaths).map((path) => targetOf(root, path))) };
}

const strings = (value: Json | undefined): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

async function targetOf(root: string, path: string): Promise<ToolTarget> {
  try {
    await resolveInside(root, path);
    return { path, exists: true, outside: false };
  } catch (error) {
    if (codeOf(error) === 'TOOL_PATH_OUTSIDE') return { path, exists: null, outside: true };
    if (codeOf(error) !== 'TOOL_PATH_MISSING') return { path, exists: null, outside: null };
  }
  try {
    return { path, exists: (await resolveForWrite(root, path)).stats !== null, outside: false };
  } catch (error) {
    return { path, exists: null, outside: codeOf(error) === 'TOOL_PATH_OUTSIDE' ? true : null };
  }
}

const codeOf = (error: unknown): string | null => (isBridleError(error) ? error.code : null);
