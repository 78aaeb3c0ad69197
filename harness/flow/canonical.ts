import { byId } from './flow-graph';
import type { FlowDocument, FlowEdge, FlowNode } from './schema';
import { stableJson } from './stable-json';

/**
 * The text of a flow as files and exports hold it: same flow, same bytes. Keys of the document, its nodes and edges come in the order people read
 * them, keys of data in text order; nodes and edges by id; two spaces, final newline. What is absent is not written.
 */
export function canonicalText(document: FlowDocument): string {
  const { format, version, id, name, description, settings, layout } = document;
  const fields: [string, string][] = [
    ['format', JSON.stringify(format)],
    ['version', JSON.stringify(version)],
    ['id', JSON.stringify(id)],
    ['name', JSON.stringify(name)],
    ['description', JSON.stringify(description)],
    ['nodes', list([...document.nodes].sort(byId).map(nodeText))],
    ['edges', list([...document.edges].sort(byId).map(edgeText))],
    ['settings', indented(stableJson(settings, 2), 2)],
    ['layout', indented(stableJson(layout, 2), 2)],
  ];
  return `{\n${fields.map(([key, text]) => `  ${JSON.stringify(key)}: ${text}`).join(',\n')}\n}\n`;
}

/** What two flows must share to mean the same: everything but the layout and the names and notes people read. */
export function semanticText(document: FlowDocument): string {
  const nodes = [...document.nodes].sort(byId).map(({ label, note, ...node }) => node);
  return stableJson({ version: document.version, nodes, edges: [...document.edges].sort(byId), settings: document.settings });
}

const nodeText = ({ id, type, typeVersion, label, parent, disabled, note, config }: FlowNode): string =>
  objectText([
    ['id', id],
    ['type', type],
    ['typeVersion', typeVersion],
    ['label', label],
    ['parent', parent],
    ['disabled', disabled],
    ['note', note],
    ['config', config],
  ]);

const edgeText = ({ id, kind, source, port, target, maxTraversals }: FlowEdge): string =>
  objectText([
    ['id', id],
    ['kind', kind],
    ['source', source],
    ['port', port],
    ['target', target],
    ['maxTraversals', maxTraversals],
  ]);

function objectText(fields: readonly [string, unknown][]): string {
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `      ${JSON.stringify(key)}: ${indented(stableJson(value, 2), 6)}`);
  return `    {\n${lines.join(',\n')}\n    }`;
}

const list = (texts: readonly string[]): string => (texts.length === 0 ? '[]' : `[\n${texts.join(',\n')}\n  ]`);

/** Line breaks in JSON text are all its own: those of data are escaped. */
const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
