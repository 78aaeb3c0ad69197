import type { Catalogue } from '../contract/catalogue';
import { rewriteReferences } from '../expression/rewrite';
import { mapConfigTexts } from './config-texts';
import type { FlowDocument, FlowNode } from './schema';

/** A node with the references in its expressions and templates renamed; the same object when there were none. */
export function rewriteInNode(node: FlowNode, catalogue: Catalogue, rename: ReadonlyMap<string, string>): FlowNode {
  const manifest = catalogue.nodes.get(node.type);
  if (!manifest || rename.size === 0) return node;
  const config = mapConfigTexts(manifest, node.config, ({ kind, text }) => rewriteReferences(text, kind, rename));
  return config === node.config ? node : { ...node, config };
}

/** All references of a flow renamed; ids of nodes are not touched. */
export function rewriteInFlow(document: FlowDocument, catalogue: Catalogue, rename: ReadonlyMap<string, string>): FlowDocument {
  return { ...document, nodes: document.nodes.map((node) => rewriteInNode(node, catalogue, rename)) };
}
