import type { FlowDocument } from '@/harness/flow/schema';

export type SaveStatus = 'saved' | 'dirty' | 'saving' | 'conflict' | 'failed';

/** Somebody else saved this flow since it was opened here. `theirs` is the newest copy on the server. */
export interface Conflict {
  theirs: FlowDocument;
  revision: number;
}

export interface SaveState {
  status: SaveStatus;
  /** Revision the next save is based on. */
  revision: number;
  savedDocument: FlowDocument;
  conflict: Conflict | null;
  /** Why the last save failed, for the person. */
  message: string | null;
}
