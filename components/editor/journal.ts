import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';

/** Where an unsaved draft waits for the next page load. One entry per flow and tab. */
export interface Journal {
  write(document: FlowDocument, baseRevision: number): void;
  clear(): void;
}

export interface Draft {
  document: FlowDocument;
  baseRevision: number;
  at: number;
}

/** The part of Web Storage that is used. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = (flowId: string): string => `bridle.draft:${encodeURIComponent(flowId)}:`;
/** A draft of another tab is taken over only when that tab has had time to save it itself. */
const orphanMs = 10_000;

export function createJournal(storage: DraftStorage, flowId: string, tab: string, now: () => number = Date.now): Journal {
  const key = `${prefix(flowId)}${tab}`;
  return {
    write(document, baseRevision) {
      try {
        storage.setItem(key, JSON.stringify({ document, baseRevision, at: now() }));
      } catch {
        // Storage full or forbidden: the server save is then the only copy.
      }
    },
    clear: () => storage.removeItem(key),
  };
}

const parseDraft = (text: string | null): Draft | null => {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('document' in value) || !('baseRevision' in value) || !('at' in value))
      return null;
    const document = flowDocumentSchema.safeParse(value.document);
    if (!document.success || typeof value.baseRevision !== 'number' || typeof value.at !== 'number') return null;
    return { document: document.data, baseRevision: value.baseRevision, at: value.at };
  } catch {
    return null;
  }
};

/** The draft this tab left behind, else the newest that a closed tab left (taken out of storage, as this tab now answers for it). */
export function recoverDraft(storage: DraftStorage, flowId: string, tab: string, now: number = Date.now()): Draft | null {
  const own = parseDraft(storage.getItem(`${prefix(flowId)}${tab}`));
  if (own) return own;
  let best: { key: string; draft: Draft } | null = null;
  for (let at = 0; at < storage.length; at += 1) {
    const key = storage.key(at);
    if (!key?.startsWith(prefix(flowId))) continue;
    const draft = parseDraft(storage.getItem(key));
    if (!draft || now - draft.at < orphanMs) continue;
    if (!best || draft.at > best.draft.at) best = { key, draft };
  }
  if (!best) return null;
  storage.removeItem(best.key);
  return best.draft;
}
