import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodeProcess from 'node:process';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { catalogue } from './catalog';
import { type RecordedSchemas, schemaFaults, withNewSchemas } from './testing/config-schemas';

const file = join(import.meta.dirname, 'config-schemas.json');
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const read = (): RecordedSchemas => z.record(z.string(), z.string()).parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const manifests = [...catalogue.nodes.values()];

test('a config schema changed and flows saved before cannot be read any more', () => {
  if (nodeProcess.env.RECORD_CONFIG_SCHEMAS === '1') {
    const entries = Object.entries(withNewSchemas(manifests, read(), digest)).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
  }
  expect(schemaFaults(manifests, read(), digest)).toEqual([]);
});

test('canary: the guard sees a changed schema, a missing record and a missing migration', () => {
  const make = (version: number, config: z.ZodObject) =>
    defineNode({
      id: 'canary',
      version,
      category: 'flow',
      layer: 'flow',
      authority: 'deterministic',
      role: 'step',
      title: 'Canary',
      icon: 'bird',
      summary: 'Sings.',
      config,
      ports: ['next'],
      outputs: z.null(),
    });
  const before = make(1, z.object({ title: z.string().default('a').meta({ title: 'Title' }) }));
  const recorded = withNewSchemas([before], {}, digest);
  expect(schemaFaults([before], recorded, digest)).toEqual([]);
  const reworded = make(1, z.object({ title: z.string().default('a').meta({ title: 'Heading', description: 'New words.' }) }));
  expect(schemaFaults([reworded], recorded, digest)).toEqual([]);
  const changed = [
    make(1, z.object({ title: z.string().default('b') })),
    make(1, z.object({ heading: z.string().default('a') })),
    make(1, z.object({ title: z.string().max(5).default('a') })),
    make(1, z.object({})),
  ];
  for (const manifest of changed)
    expect(schemaFaults([manifest], recorded, digest)).toEqual([expect.stringContaining('set its version to 2')]);
  expect(schemaFaults([make(2, before.config)], recorded, digest)).toEqual([
    expect.stringContaining('canary@2 is not recorded'),
    expect.stringContaining('no migration from version 1'),
  ]);
});
