import { z } from 'zod';
import type { Catalogue } from '../contract/catalogue';
import { jsonSchema } from '../contract/json';
import type { LayerId } from '../contract/layers';
import { type AnyManifest, defineNode, type NodeRole } from '../contract/node';
import { defineChannel } from '../state/channel';
import { testCatalogue } from './test-catalogue';

/** The control layers as far as compiler rules look at them: types, ports, and which channels they read and write. */

interface Sketch {
  layer: LayerId;
  ports: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  role?: NodeRole;
}

const layer = (id: string, { role = 'step', ...sketch }: Sketch): AnyManifest =>
  defineNode({
    id,
    version: 1,
    category: 'control',
    authority: 'deterministic',
    role,
    title: id,
    icon: 'box',
    summary: id,
    config: z.object({ parallel: z.boolean().default(true) }),
    outputs: jsonSchema,
    ...sketch,
  });

const all = ['diagnostics', 'evidenceStore', 'toolResults', 'worldModel'];
const types: readonly AnyManifest[] = [
  layer('initialize-run', { layer: 'around', ports: ['next'], writes: all }),
  layer('diagnostics', { layer: 'diagnostics', ports: ['next'], reads: ['worldModel'], writes: ['diagnostics'] }),
  layer('control-state', {
    layer: 'control-state',
    ports: ['normal', 'cautious', 'blocked', 'human'],
    reads: ['diagnostics'],
    writes: ['controlState'],
  }),
  layer('planning', { layer: 'planning', ports: ['task', 'complete', 'nothing-eligible'] }),
  layer('action-gate', { layer: 'execution', ports: ['pass', 'block', 'escalate'], reads: ['controlState'] }),
  layer('act', { layer: 'execution', ports: ['done', 'continue', 'failed'], writes: ['toolResults'] }),
  layer('evidence', { layer: 'evidence', ports: ['next'], reads: ['toolResults'], writes: ['evidenceStore', 'toolResults'] }),
  layer('world-model', { layer: 'world-model', ports: ['next'], reads: ['evidenceStore'], writes: ['worldModel'] }),
  layer('contradiction', { layer: 'contradiction', ports: ['next'], reads: ['worldModel'], writes: ['worldModel'] }),
  layer('merge-branches', { layer: 'planning', ports: ['next'], role: 'merge', reads: all, writes: all }),
];

const channel = (id: string, title: string, missing?: string) =>
  defineChannel({
    id,
    title,
    summary: '',
    schema: jsonSchema,
    reducer: 'replace',
    scope: 'run',
    initial: null,
    writers: id === 'controlState' ? 'one' : 'many',
    ...(missing === undefined ? {} : { missing }),
  });

const channels = [
  channel('diagnostics', 'Diagnostics', 'none of the dimensions blocks'),
  channel('controlState', 'Control state', 'nothing is ever blocked'),
  channel('evidenceStore', 'Evidence', 'checks have no evidence'),
  channel('worldModel', 'World model', 'there are no beliefs'),
  channel('toolResults', 'Tool results'),
];

export const controlCatalogue: Catalogue = {
  nodes: new Map([...testCatalogue.nodes, ...types.map((manifest): [string, AnyManifest] => [manifest.id, manifest])]),
  channels: new Map([...testCatalogue.channels, ...channels.map((entry) => [entry.id, entry] as const)]),
};
