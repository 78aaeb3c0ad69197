import { migrateNode } from '../../flow/migrate';
import { faultSeverity, nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** A node written for another version of its type. */
export const typeVersion: Rule = (context) =>
  [...context.graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    const { status, manifest, node } = entry;
    const versions = `version ${node.typeVersion}, and this build has version ${manifest?.version}`;
    const place = { nodeId: entry.id, path: 'typeVersion' };
    switch (status) {
      case 'outdated':
        return [
          {
            ...place,
            code: 'NODE_TYPE_OUTDATED',
            severity: 'warning',
            message: `${nameOf(entry)} was made with an older "${node.type}": ${versions}. It runs as if migrated; migrate it to see what changes.`,
            fix: {
              title: `Migrate to version ${manifest?.version}`,
              apply: (document) => ({
                ...document,
                nodes: document.nodes.map((other) => (other.id === entry.id ? migrateNode(other, context.options.catalogue) : other)),
              }),
            },
          },
        ];
      case 'stuck':
        return [
          {
            ...place,
            code: 'NODE_TYPE_NO_MIGRATION',
            severity: faultSeverity(context, entry),
            message: `${nameOf(entry)} was made with an older "${node.type}": ${versions}, but no migration leads there. Replace it with a new one.`,
          },
        ];
      case 'newer':
        return [
          {
            ...place,
            code: 'NODE_TYPE_NEWER',
            severity: faultSeverity(context, entry),
            message: `${nameOf(entry)} was made with a newer "${node.type}": ${versions}. Update Bridle to run it; it is kept as it is.`,
          },
        ];
      default:
        return [];
    }
  });
