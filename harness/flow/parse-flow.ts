import type { Catalogue } from '../contract/catalogue';
import { type BridleError, userError } from '../contract/errors';
import { isJsonObject } from '../contract/json';
import { brokenEdges } from './connect-check';
import { type FlowDocument, flowDocumentSchema, flowFormat, flowVersion } from './schema';

/** Bounds on a flow that comes from outside. */
export const importLimits = { characters: 8_000_000, nodes: 5_000, edges: 20_000, depth: 100 } as const;

export type ParsedFlow =
  | { ok: true; document: FlowDocument /** What the person should know about what was kept as it is. */; notices: string[] }
  | { ok: false; error: BridleError };

/**
 * Reads the text of a flow from anywhere. Never throws: every fault is a user error `FLOW_*` that says where it is. Unknown node types and edges
 * that do not hold are kept as they are (BR-25, BR-31); with a catalogue they are told as notices. Nothing is run or fetched.
 */
export function parseFlow(text: string, catalogue?: Catalogue): ParsedFlow {
  if (text.length > importLimits.characters) {
    const size = (text.length / 1_000_000).toFixed(1);
    return fail(
      'FLOW_TOO_LARGE',
      `The file has ${size} million characters; at most ${importLimits.characters / 1_000_000} million can be read.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : '';
    return fail('FLOW_NOT_JSON', `The text is not complete JSON (${reason}). It may have been cut off.`);
  }
  return readFlow(value, catalogue);
}

/** The same for JSON that was parsed already. */
export function readFlow(value: unknown, catalogue?: Catalogue): ParsedFlow {
  try {
    const problem = shapeProblem(value);
    if (problem) return { ok: false, error: problem };
    const parsed = flowDocumentSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const path = issue?.path.map(String).join('.') ?? '';
      return fail('FLOW_INVALID', `The flow cannot be read at "${path}": ${issue?.message ?? 'not valid'}.`, path);
    }
    const identity = identityProblem(parsed.data);
    if (identity) return { ok: false, error: identity };
    return { ok: true, document: parsed.data, notices: catalogue ? noticesOf(parsed.data, catalogue) : [] };
  } catch (thrown) {
    return fail('FLOW_INVALID', `The flow cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

const fail = (code: string, message: string, path?: string): ParsedFlow => ({
  ok: false,
  error: userError(code, message, path === undefined ? undefined : { path }),
});

function shapeProblem(value: unknown): BridleError | null {
  if (!isJsonObject(value)) {
    const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    return userError('FLOW_SHAPE', `A flow is a JSON object, but this is ${what}.`);
  }
  const unsafe = unsafePlace(value);
  if (unsafe) return unsafe;
  if (value.format !== flowFormat) {
    const found = typeof value.format === 'string' ? `"${value.format.slice(0, 100)}"` : 'none';
    return userError('FLOW_FORMAT', `This is not a Bridle flow: its "format" must be "${flowFormat}", and it has ${found}.`);
  }
  if (typeof value.version === 'number' && value.version > flowVersion) {
    const message = `The flow was written by a newer Bridle: it has version ${value.version}, and this build reads up to version ${flowVersion}. Update Bridle to open it; nothing was changed.`;
    return userError('FLOW_VERSION_NEWER', message, { found: value.version, supported: flowVersion });
  }
  for (const key of ['nodes', 'edges'] as const) {
    const list = value[key];
    if (!Array.isArray(list)) return userError('FLOW_INVALID', `The flow cannot be read at "${key}": it must be a list.`, { path: key });
    if (list.length > importLimits[key]) {
      return userError('FLOW_TOO_MANY', `The flow has ${list.length} ${key}; at most ${importLimits[key]} can be read.`, { path: key });
    }
  }
  return null;
}

const unsafeKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** A key that could reach into the objects of JavaScript, or nesting too deep to work with. Walks without recursion. */
function unsafePlace(root: object): BridleError | null {
  const stack: { value: object; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.depth > importLimits.depth) {
      return userError('FLOW_TOO_DEEP', `The flow is nested more than ${importLimits.depth} levels deep at "${at.path.slice(0, 200)}".`);
    }
    for (const [key, value] of Object.entries(at.value)) {
      const path = at.path === '' ? key : `${at.path}.${key}`;
      if (!Array.isArray(at.value) && unsafeKeys.includes(key)) {
        return userError('FLOW_UNSAFE_KEY', `The flow uses "${key}" as a key at "${path.slice(0, 200)}", which is not allowed.`, {
          path: path.slice(0, 200),
        });
      }
      if (typeof value === 'object' && value !== null) stack.push({ value, path, depth: at.depth + 1 });
    }
  }
  return null;
}

function identityProblem({ nodes, edges }: FlowDocument): BridleError | null {
  for (const [kind, items] of [
    ['node', nodes],
    ['edge', edges],
  ] as const) {
    const seen = new Set<string>();
    for (const { id } of items) {
      if (seen.has(id)) return userError('FLOW_DUPLICATE_ID', `Two ${kind}s have the id "${id}". Ids must be different.`, { id });
      if (unsafeKeys.includes(id)) return userError('FLOW_UNSAFE_KEY', `A ${kind} has the id "${id}", which is not allowed.`, { id });
      seen.add(id);
    }
  }
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const sound = new Set<string>();
  for (const { id } of nodes) {
    const path = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !sound.has(at); at = parents.get(at)) {
      if (path.has(at))
        return userError('FLOW_PARENT_CYCLE', `The node "${at}" stands inside of itself, by way of what it stands in.`, { id: at });
      path.add(at);
    }
    for (const passed of path) sound.add(passed);
  }
  return null;
}

function noticesOf(document: FlowDocument, catalogue: Catalogue): string[] {
  const unknown = new Map<string, number>();
  for (const { type } of document.nodes) if (!catalogue.nodes.has(type)) unknown.set(type, (unknown.get(type) ?? 0) + 1);
  return [
    ...[...unknown].map(
      ([type, count]) =>
        `${count} ${count === 1 ? 'node is' : 'nodes are'} of the type "${type}", which is not installed here; kept as placeholders.`,
    ),
    ...brokenEdges(document, catalogue).map(
      ({ edge, message }) => `Edge "${edge.id}" does not hold and was kept, marked as broken. ${message}`,
    ),
  ];
}
