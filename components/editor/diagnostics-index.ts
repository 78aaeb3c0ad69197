import type { Diagnostic, Severity } from '@/harness/compiler/diagnostic';
import type { Compiled } from './compile-loop';

interface DiagnosticsIndex {
  byNode: ReadonlyMap<string, readonly Diagnostic[]>;
  byEdge: ReadonlyMap<string, readonly Diagnostic[]>;
  count: Readonly<Record<Severity, number>>;
}

const none: readonly Diagnostic[] = [];
const empty: DiagnosticsIndex = { byNode: new Map(), byEdge: new Map(), count: { error: 0, warning: 0, info: 0 } };
const indices = new WeakMap<Compiled, DiagnosticsIndex>();

export function diagnosticsIndex(compiled: Compiled | null): DiagnosticsIndex {
  if (!compiled) return empty;
  const known = indices.get(compiled);
  if (known) return known;
  const byNode = new Map<string, Diagnostic[]>();
  const byEdge = new Map<string, Diagnostic[]>();
  const count = { error: 0, warning: 0, info: 0 };
  const push = (map: Map<string, Diagnostic[]>, key: string, diagnostic: Diagnostic): void => {
    const list = map.get(key);
    if (list) list.push(diagnostic);
    else map.set(key, [diagnostic]);
  };
  for (const diagnostic of compiled.diagnostics) {
    count[diagnostic.severity] += 1;
    if (diagnostic.edgeId !== undefined) push(byEdge, diagnostic.edgeId, diagnostic);
    if (diagnostic.nodeId !== undefined) push(byNode, diagnostic.nodeId, diagnostic);
  }
  const index = { byNode, byEdge, count };
  indices.set(compiled, index);
  return index;
}

export const diagnosticsOfNode = (compiled: Compiled | null, id: string): readonly Diagnostic[] =>
  diagnosticsIndex(compiled).byNode.get(id) ?? none;

/** The gravest severity at a node, for the mark on its card. */
export function severityOfNode(compiled: Compiled | null, id: string): Severity | null {
  const list = diagnosticsOfNode(compiled, id);
  if (list.length === 0) return null;
  if (list.some((entry) => entry.severity === 'error')) return 'error';
  return list.some((entry) => entry.severity === 'warning') ? 'warning' : null;
}
