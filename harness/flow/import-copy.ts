import type { FlowDocument } from './schema';

export interface CopyOptions {
  /** The id of the copy, new to the host. */
  id: string;
  /** Names in use. */
  takenNames: ReadonlySet<string>;
  /** A name to prefer to the flow's own. */
  name?: string;
  /** New ids of flows imported together with this one, so that subflow nodes follow. */
  flowIds?: ReadonlyMap<string, string>;
}

/**
 * A flow as a copy of its own (BR-32): its id is new and its name is free. Ids of nodes and edges belong to one document and stay, so every edge and
 * reference holds, and a copy can be compared with what it came from.
 */
export function importCopy(document: FlowDocument, { id, takenNames, name, flowIds }: CopyOptions): FlowDocument {
  const copy: FlowDocument = { ...structuredClone(document), id, name: freeName(name ?? document.name, takenNames) };
  const renamed = new Map([...(flowIds ?? []), [document.id, id]]);
  copy.nodes = copy.nodes.map((node) => {
    const flow = node.type === 'subflow' ? node.config.flow : undefined;
    const moved = typeof flow === 'string' ? renamed.get(flow) : undefined;
    return moved === undefined ? node : { ...node, config: { ...node.config, flow: moved } };
  });
  return copy;
}

/**
 * The name itself, or with the first number that makes it free: `Review`, `Review 2`, `Review 3`. A number that ends the name belongs to it
 * unless the name without it is taken too: a second `Large 1000` is `Large 1000 2`.
 */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.trim() || 'Untitled';
  if (!taken.has(name)) return name;
  const bare = name.replace(/ \d+$/, '');
  const stem = taken.has(bare) ? bare : name;
  let count = 2;
  while (taken.has(`${stem} ${count}`)) count++;
  return `${stem} ${count}`;
}
