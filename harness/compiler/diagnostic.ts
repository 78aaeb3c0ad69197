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
