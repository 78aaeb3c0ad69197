import { z } from 'zod';
import type { Catalogue } from '@/harness/contract/catalogue';
import { userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { brokenEdges } from '@/harness/flow/connect-check';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { stableJson } from '@/harness/flow/stable-json';
import type { FlowTexts } from './flow-service';

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export function createFlowTexts(catalogue: Catalogue): FlowTexts {
  const read = (text: string): FlowDocument => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw userError('FLOW_UNREADABLE', 'The text is not JSON.');
    }
    const parsed = flowDocumentSchema.safeParse(value);
    if (!parsed.success) throw userError('FLOW_UNREADABLE', z.prettifyError(parsed.error));
    return parsed.data;
  };
  return {
    serialise(document) {
      const sorted = { ...document, nodes: [...document.nodes].sort(byId), edges: [...document.edges].sort(byId) };
      // a document is JSON by its schema
      return `${stableJson(JSON.parse(JSON.stringify(sorted)) as Json, 2)}\n`;
    },
    read,
    import(text, id) {
      const document = { ...read(text), id };
      return { document, notices: brokenEdges(document, catalogue).map(({ edge, message }) => `Edge ${edge.id}: ${message}`) };
    },
  };
}
