import { z } from 'zod';
import type { Catalogue } from '../contract/catalogue';
import { jsonSchema } from '../contract/json';
import { type AnyManifest, defineNode, type NodeRole } from '../contract/node';
import { defineChannel } from '../state/channel';

/** A small set of node types for tests of the document and the compiler: one of each role, with the odd cases real types have. */

const base = (id: string, role: NodeRole) =>
  ({ id, role, version: 1, category: 'flow', layer: 'flow', authority: 'deterministic', title: id, icon: 'box', summary: id }) as const;
const row = z.object({ id: z.string().min(1), when: z.string().default('') });

const types: readonly AnyManifest[] = [
  defineNode({
    ...base('input', 'start'),
    config: z.object({}),
    ports: ['next'],
    canFail: false,
    outputs: z.object({ message: z.string(), items: z.array(jsonSchema).optional() }),
  }),
  defineNode({
    ...base('output', 'end'),
    config: z.object({ value: z.string().default('{{received}}'), required: z.boolean().default(true) }),
    ports: [],
    canFail: false,
    outputs: jsonSchema,
    fields: { value: { widget: 'template' } },
  }),
  defineNode({
    ...base('step', 'step'),
    config: z.object({
      text: z.string().default(''),
      when: z.string().default(''),
      limit: z.number().min(0).max(10).default(1),
      mode: z.enum(['plain', 'loud']).default('plain'),
      volume: z.string().default(''),
      headers: z.record(z.string(), z.string()).default({}),
      rows: z.array(row).default([]),
      deep: z.object({ inner: z.string().default('') }).default({ inner: '' }),
    }),
    ports: ['next'],
    outputs: z.object({ text: z.string(), list: z.array(z.object({ name: z.string() })), anything: jsonSchema }),
    fields: {
      text: { widget: 'template' },
      when: { widget: 'expression' },
      volume: { widget: 'expression', when: { field: 'mode', is: 'loud' } },
      headers: { items: { widget: 'template' } },
      rows: { items: { when: { widget: 'expression' } } },
      deep: { fields: { inner: { widget: 'template' } } },
    },
  }),
  defineNode({
    ...base('branch', 'step'),
    config: z.object({ cases: z.array(row).min(1) }),
    ports: (config) => [...(config.cases ?? []).map(({ id }) => id), 'else'],
    outputs: z.object({ case: z.string() }),
    fields: { cases: { items: { when: { widget: 'expression' } } } },
  }),
  defineNode({
    ...base('fork', 'fork'),
    config: z.object({
      branches: z.array(row).default([
        { id: 'a', when: '' },
        { id: 'b', when: '' },
      ]),
    }),
    ports: (config) => (config.branches ?? []).map(({ id }) => id),
    outputs: z.object({ branches: z.array(z.string()) }),
  }),
  defineNode({
    ...base('join', 'join'),
    config: z.object({ mode: z.enum(['all', 'any', 'n']).default('all'), count: z.int().min(1).default(2) }),
    ports: ['next'],
    canFail: false,
    outputs: z.record(z.string(), jsonSchema),
  }),
  defineNode({
    ...base('map', 'container'),
    config: z.object({ list: z.string().default('input.items') }),
    ports: ['next'],
    outputs: z.object({ results: z.array(jsonSchema) }),
    fields: { list: { widget: 'expression' } },
  }),
  defineNode({
    ...base('subflow', 'container'),
    config: z.object({ flow: z.string().min(1), version: z.int().nullable().default(null) }),
    ports: ['next'],
    outputs: jsonSchema,
    fields: { flow: { widget: 'flow' } },
  }),
  defineNode({
    ...base('model', 'step'),
    version: 3,
    config: z.object({ role: z.string().default('primary'), prompt: z.string({ error: 'Write the prompt' }).min(1, 'Write the prompt') }),
    ports: ['next'],
    outputs: z.object({ text: z.string() }),
    reads: ['transcript'],
    model: (config) => config.role,
    fields: { prompt: { widget: 'prompt' } },
    migrations: {
      1: ({ question, ...rest }) => ({ ...rest, prompt: question ?? '' }),
      2: (config) => ({ role: 'primary', ...config }),
    },
  }),
  defineNode({
    ...base('tool', 'step'),
    config: z.object({ tool: z.string().default('read_file') }),
    ports: ['next'],
    outputs: jsonSchema,
    tools: (config) => [config.tool],
  }),
  defineNode({ ...base('judge', 'step'), config: z.object({}), ports: ['pass'], outputs: z.null(), writes: ['verdict', 'notes'] }),
  defineNode({ ...base('guard', 'policy'), config: z.object({}), ports: [], outputs: z.null(), attaches: { to: ['*'] } }),
  defineNode({
    ...base('model-guard', 'policy'),
    config: z.object({}),
    ports: [],
    outputs: z.null(),
    attaches: { to: ['model', 'container'] },
  }),
  defineNode({ ...base('note', 'annotation'), config: z.object({ text: z.string().default('') }), ports: [], outputs: z.null() }),
  defineNode({ ...base('frame', 'annotation'), config: z.object({}), ports: [], outputs: z.null() }),
];

const channels = [
  defineChannel({
    id: 'transcript',
    title: 'Transcript',
    summary: '',
    schema: z.array(jsonSchema),
    reducer: 'append',
    scope: 'session',
    initial: [],
    writers: 'many',
  }),
  defineChannel({
    id: 'notes',
    title: 'Notes',
    summary: '',
    schema: z.array(jsonSchema),
    reducer: 'append',
    scope: 'run',
    initial: [],
    writers: 'many',
  }),
  defineChannel({
    id: 'verdict',
    title: 'Verdict',
    summary: '',
    schema: jsonSchema,
    reducer: 'replace',
    scope: 'run',
    initial: null,
    writers: 'one',
  }),
];

export const testCatalogue: Catalogue = {
  nodes: new Map(types.map((manifest) => [manifest.id, manifest])),
  channels: new Map(channels.map((channel) => [channel.id, channel])),
};
