import type { AnyManifest } from '@/harness/contract/node';
import { catalogue } from '@/nodes/catalog';

export const manifestIds: readonly string[] = [...catalogue.nodes.keys()];
export const findManifest = (id: string): AnyManifest | undefined => catalogue.nodes.get(id);
