import type { FlowDocument } from '../flow/schema';

export type Severity = 'error' | 'warning' | 'info';

/** A mend the person can take with one click: a pure edit of the document. */
export interface Fix {
  title: string;
  apply: (document: FlowDocument) => FlowDocument;
}

/** What is wrong, where, and what to do about it (design §11). `path` names the config field, dotted. */
export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  nodeId?: string;
  edgeId?: string;
  path?: string;
  fix?: Fix;
}

const severityOrder: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by place and code: the same list whatever the drawing order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const keys = (entry: Diagnostic) => [entry.nodeId ?? '', entry.edgeId ?? '', entry.code, entry.path ?? '', entry.message];
  return [...diagnostics].sort((a, b) => {
    const bySeverity = severityOrder[a.severity] - severityOrder[b.severity];
    if (bySeverity !== 0) return bySeverity;
    const [left, right] = [keys(a), keys(b)];
    const at = left.findIndex((key, index) => key !== right[index]);
    return at === -1 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
  });
}
