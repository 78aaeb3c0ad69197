import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compile } from '@/harness/compiler/compile';
import { type AnyManifest, type FieldHint, outputSchemaOf, portsOf } from '@/harness/contract/node';
import { canonicalText } from '@/harness/flow/canonical';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { catalogue, executingTypes, nodeTypes, policyTypes } from './catalog';
import { type Executors, type PolicyTwins, runtime } from './executors';
import { arbitraryConfig } from './testing/arbitrary-config';

const folder = import.meta.dirname;
const manifests = [...catalogue.nodes.entries()];
const categories = ['agent', 'canvas', 'control', 'flow', 'human', 'planning', 'policy', 'tools'];
/** What stands in a category's folder and is no node type. */
const shared = ['channels.ts', 'support'];

/** A config that is whole: required fields get a value their schema takes. */
const sampleConfig = (manifest: AnyManifest) => fc.sample(arbitraryConfig(manifest.config), { numRuns: 1, seed: 7 })[0] ?? {};

test('a type is called otherwise than its folder, stands in another category, or is not in the catalogue', () => {
  const folders = categories.flatMap((category) =>
    readdirSync(join(folder, category)).flatMap((id) => (shared.includes(id) ? [] : [`${category}/${id}`])),
  );
  expect(folders.sort()).toEqual(manifests.map(([id, manifest]) => `${manifest.category}/${id}`).sort());
  for (const [id, manifest] of manifests) expect(manifest.id).toBe(id);
});

test('a type has no page of documentation, or its title does not open it', () => {
  for (const [id, manifest] of manifests) {
    const path = join(folder, manifest.category, id, 'docs.md');
    expect(existsSync(path), path).toBe(true);
    expect(readFileSync(path, 'utf8').startsWith(`# ${manifest.title}\n`), path).toBe(true);
  }
});

test('a config or output schema cannot be exported as JSON Schema', () => {
  for (const [id, manifest] of manifests) {
    expect(() => z.toJSONSchema(manifest.config, { io: 'input' }), id).not.toThrow();
    expect(() => z.toJSONSchema(outputSchemaOf(manifest, sampleConfig(manifest))), id).not.toThrow();
  }
});

test('a config field has no title, so the inspector would show its key', () => {
  const untitled = (schema: z.ZodType, path: string): string[] => {
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return untitled(inside(schema), path);
    if (schema instanceof z.ZodArray) return untitled(inside(schema), `${path}[]`);
    if (!(schema instanceof z.ZodObject)) return [];
    return Object.entries(schema.shape).flatMap(([key, field]) => [
      ...(z.globalRegistry.get(field)?.title ? [] : [`${path}.${key}`]),
      ...untitled(field, `${path}.${key}`),
    ]);
  };
  expect(manifests.flatMap(([id, manifest]) => untitled(manifest.config, id))).toEqual([]);
});

test('a field hint speaks of a field, or waits for a value, that does not exist', () => {
  for (const [id, manifest] of manifests) {
    const shape: Record<string, z.ZodType> = manifest.config.shape;
    const fields: Record<string, FieldHint | undefined> = manifest.fields ?? {};
    for (const [key, hint] of Object.entries(fields)) {
      expect(shape, `${id}.${key}`).toHaveProperty(key);
      if (!hint?.when) continue;
      const { field, is } = hint.when;
      const values = Array.isArray(is) ? is : [is];
      for (const value of values) expect(shape[field]?.safeParse(value).success, `${id}.${key} waits for ${field} = ${value}`).toBe(true);
    }
  }
});

test('an icon is not one of lucide’s', () => {
  const icons = join(folder, '..', 'node_modules', 'lucide-react', 'dist', 'esm', 'icons');
  expect(readdirSync(icons).length).toBeGreaterThan(100);
  const unknown = manifests.filter(([, { icon }]) => !['js', 'mjs'].some((ending) => existsSync(join(icons, `${icon}.${ending}`))));
  expect(unknown.map(([id, { icon }]) => `${id}: ${icon}`)).toEqual([]);
});

test('ports or preview threw on a half-filled config, which every card has while it is edited', () => {
  for (const [id, manifest] of manifests) {
    const full = sampleConfig(manifest);
    const halves = [{}, ...Object.keys(full).map((key) => Object.fromEntries(Object.entries(full).filter(([name]) => name !== key)))];
    for (const half of halves) {
      expect(() => portsOf(manifest, half), id).not.toThrow();
      expect(typeof (manifest.preview?.(half) ?? ''), id).toBe('string');
      expect(manifest.preview?.(half) ?? '', id).not.toMatch(/undefined|NaN|\[object/);
    }
  }
});

test('two ports of one node have the same id', () => {
  for (const [id, manifest] of manifests) {
    const ids = portsOf(manifest, sampleConfig(manifest)).map((port) => port.id);
    expect(new Set(ids).size, id).toBe(ids.length);
  }
});

test('a channel is read or written that nobody declares', () => {
  for (const [id, manifest] of manifests) {
    for (const channel of [...(manifest.reads ?? []), ...(manifest.writes ?? [])])
      expect(catalogue.channels.has(channel), `${id}: ${channel}`).toBe(true);
  }
});

test('a type stands among the executing ones and does not execute, or has no twin', () => {
  const executing = ['start', 'end', 'step', 'fork', 'merge', 'container'];
  expect(Object.keys(executingTypes).sort()).toEqual(
    manifests
      .filter(([, { role }]) => executing.includes(role))
      .map(([id]) => id)
      .sort(),
  );
  expect(Object.keys(policyTypes).sort()).toEqual(
    manifests
      .filter(([, { role }]) => role === 'policy')
      .map(([id]) => id)
      .sort(),
  );
  for (const [id, { manifest }] of [...runtime.executors, ...runtime.policies])
    expect(manifest).toBe(Object.entries(nodeTypes).find(([key]) => key === id)?.[1]);
});

test('canary: a missing, surplus or mismatched twin compiles', () => {
  const refuse = (_twins: Partial<Executors> | PolicyTwins) => undefined;
  const branch = runtime.executors.get('branch');
  // @ts-expect-error a twin is missing
  const missing: PolicyTwins = {};
  // @ts-expect-error a twin for a type that does not execute
  const surplus: Partial<Executors> = { join: branch };
  // @ts-expect-error the twin of another type, whose config is not this one's
  const mismatched: Partial<Executors> = { branch: { manifest: executingTypes.wait, execute: () => ({}) } };
  expect([missing, surplus, mismatched].map(refuse)).toHaveLength(3);
});

test('an option did not survive export and import', () => {
  for (const [id, manifest] of manifests) {
    fc.assert(
      fc.property(arbitraryConfig(manifest.config), (config) => {
        const parsed = manifest.config.parse(config);
        const document = flowDocumentSchema.parse({
          format: 'bridle/flow',
          version: 1,
          id: 'f',
          name: 'F',
          nodes: [{ id: 'n', type: id, typeVersion: manifest.version, label: 'N', config: parsed }],
          edges: [],
        });
        const [node] = flowDocumentSchema.parse(JSON.parse(canonicalText(document))).nodes;
        expect(node?.config).toEqual(parsed);
        expect(manifest.config.parse(node?.config)).toEqual(parsed);
      }),
      { numRuns: 60 },
    );
  }
});

test('the compiler throws on a config that its schema takes', () => {
  for (const [id, manifest] of manifests) {
    fc.assert(
      fc.property(arbitraryConfig(manifest.config), (config) => {
        const node = { id: 'n', type: id, typeVersion: manifest.version, label: 'N', config: JSON.parse(JSON.stringify(config)) };
        const document = flowDocumentSchema.parse({ format: 'bridle/flow', version: 1, id: 'f', name: 'F', nodes: [node], edges: [] });
        const { diagnostics } = compile(document, { catalogue, hash: (text) => String(text.length) });
        expect(diagnostics.filter((entry) => entry.code === 'COMPILER_FAULT')).toEqual([]);
      }),
      { numRuns: 20 },
    );
  }
});

const inside = (schema: { def: object }): z.ZodType => {
  const { def } = schema;
  if ('innerType' in def && def.innerType instanceof z.ZodType) return def.innerType;
  if ('element' in def && def.element instanceof z.ZodType) return def.element;
  throw new Error('a wrapper without an inside');
};
