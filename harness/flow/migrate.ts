import type { Catalogue } from '../contract/catalogue';
import type { JsonObject } from '../contract/json';
import type { AnyManifest } from '../contract/node';
import type { FlowDocument, FlowNode } from './schema';

export type TypeStatus =
  | 'current'
  /** Written for an earlier version; migrations lead to the one here. */
  | 'outdated'
  /** Written for an earlier version and a migration is missing or failed. */
  | 'stuck'
  /** Written for a later version than this build has. */
  | 'newer'
  | 'unknown';

export interface Migrated {
  status: TypeStatus;
  /** The config for the version here; as it was where no migration leads there. */
  config: JsonObject;
}

/** The config of a node brought to the version of its manifest; the node itself is not touched. Never throws. */
export function migrateConfig(node: FlowNode, manifest: AnyManifest | undefined): Migrated {
  if (!manifest) return { status: 'unknown', config: node.config };
  if (node.typeVersion === manifest.version) return { status: 'current', config: node.config };
  if (node.typeVersion > manifest.version) return { status: 'newer', config: node.config };
  let config: JsonObject = node.config;
  for (let version = node.typeVersion; version < manifest.version; version++) {
    const migration = manifest.migrations?.[version];
    if (!migration) return { status: 'stuck', config: node.config };
    try {
      config = migration(structuredClone(config));
    } catch {
      return { status: 'stuck', config: node.config };
    }
  }
  return { status: 'outdated', config };
}

/** One node brought to the version of its type; unknown, newer and stuck ones come back as they are. */
export function migrateNode(node: FlowNode, catalogue: Catalogue): FlowNode {
  const manifest = catalogue.nodes.get(node.type);
  const { status, config } = migrateConfig(node, manifest);
  return status === 'outdated' && manifest ? { ...node, typeVersion: manifest.version, config } : node;
}

/** All nodes that can be migrated, migrated. Edges are never touched, so one whose port is gone stays and shows as broken (BR-30). */
export function migrateFlow(document: FlowDocument, catalogue: Catalogue): FlowDocument {
  const nodes = document.nodes.map((node) => migrateNode(node, catalogue));
  return nodes.every((node, index) => node === document.nodes[index]) ? document : { ...document, nodes };
}
