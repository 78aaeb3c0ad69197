import type { Catalogue } from '@/harness/contract/catalogue';
import type { Authority, LayerId } from '@/harness/contract/layers';
import { type AnyManifest, errorPort, type NodeRole, type PortSpec, portsOf } from '@/harness/contract/node';
import type { FlowNode } from '@/harness/flow/schema';

/** How a node is drawn. `ghost` stands for the missing end of a broken edge. */
export type CardKind = 'card' | 'policy' | 'container' | 'frame' | 'note' | 'unknown';

export interface CardPort {
  id: string;
  title: string;
  /** An edge leaves from here although the node has no such port (any more). */
  broken: boolean;
}

/** What a card shows of its node under its config: derived once per node object. */
export interface CardModel {
  readonly node: FlowNode;
  readonly manifest: AnyManifest | null;
  readonly kind: CardKind;
  readonly role: NodeRole | null;
  readonly layer: LayerId;
  readonly authority: Authority | null;
  readonly icon: string;
  readonly typeTitle: string;
  readonly title: string;
  readonly preview: string;
  readonly ports: readonly CardPort[];
  /** Has an `error` port, drawn apart from the others. */
  readonly fails: boolean;
  readonly accepts: boolean;
  /** Can have policies pinned to it. */
  readonly guarded: boolean;
}

const models = new WeakMap<FlowNode, { catalogue: Catalogue; model: CardModel }>();

/** A config that does not parse still has ports and a preview, from its defaults where it must. */
function parsedConfig(manifest: AnyManifest, config: unknown): unknown {
  const parsed = manifest.config.safeParse(config);
  return parsed.success ? parsed.data : null;
}

const kindOf = (manifest: AnyManifest): CardKind => {
  if (manifest.role === 'policy') return 'policy';
  if (manifest.role === 'annotation') return manifest.id === 'frame' ? 'frame' : 'note';
  return manifest.role === 'container' && manifest.id !== 'subflow' ? 'container' : 'card';
};

const attempt = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    // A half-typed config may be more than a port or preview function can bear; the problems panel tells.
    return otherwise;
  }
};

function derive(node: FlowNode, catalogue: Catalogue): CardModel {
  const manifest = catalogue.nodes.get(node.type) ?? null;
  if (!manifest) {
    return {
      node,
      manifest,
      kind: 'unknown',
      role: null,
      layer: 'flow',
      authority: null,
      icon: 'circle-help',
      typeTitle: node.type,
      title: node.label || node.type,
      preview: `unknown type ${node.type}`,
      ports: [],
      fails: false,
      accepts: true,
      guarded: true,
    };
  }
  const config = parsedConfig(manifest, node.config) ?? attempt(() => manifest.config.parse({}), node.config);
  const all = attempt<PortSpec[]>(() => portsOf(manifest, config), []);
  const executing = manifest.role !== 'policy' && manifest.role !== 'annotation';
  return {
    node,
    manifest,
    kind: kindOf(manifest),
    role: manifest.role,
    layer: manifest.layer,
    authority: manifest.authority,
    icon: manifest.icon,
    typeTitle: manifest.title,
    title: node.label || manifest.title,
    preview: attempt(() => manifest.preview?.(config) ?? '', ''),
    ports: executing
      ? all.filter((port) => port.id !== errorPort).map((port) => ({ id: port.id, title: port.title ?? port.id, broken: false }))
      : [],
    fails: executing && all.some((port) => port.id === errorPort),
    accepts: executing && manifest.role !== 'start',
    guarded: executing && manifest.role !== 'start' && manifest.role !== 'end',
  };
}

export function cardModelOf(node: FlowNode, catalogue: Catalogue): CardModel {
  const known = models.get(node);
  if (known && known.catalogue === catalogue) return known.model;
  const model = derive(node, catalogue);
  models.set(node, { catalogue, model });
  return model;
}
