import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compile } from '@/harness/compiler/compile';
import { isJsonObject } from '@/harness/contract/json';
import { canonicalText } from '@/harness/flow/canonical';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { schemaProblems } from '@/nodes/support/json-schema';
import { templates } from './index';

const here = join(process.cwd(), 'server', 'templates');
const samples = join(process.cwd(), 'public', 'samples');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

for (const { id, document, sample, script, answers } of templates) {
  test(`${id}: it did not compile cleanly`, () => {
    const { plan, diagnostics } = compile(document, { catalogue, hash });
    expect(plan).not.toBeNull();
    // what a lean flow leaves out is told as information
    expect(diagnostics.filter(({ code, severity }) => code !== 'MODEL_ROLE_EMPTY' && severity !== 'info')).toEqual([]);
  });

  test(`${id}: the file is not canonical, or changes on the way through the schema`, () => {
    const text = readFileSync(join(here, id, 'flow.json'), 'utf8');
    expect(canonicalText(document)).toBe(text);
    expect(flowDocumentSchema.parse(JSON.parse(text))).toEqual(document);
    expect(document.id).toBe(id);
  });

  test(`${id}: a card stands on another, or has no place`, () => {
    const placed = document.nodes.map((node) => ({ node, place: document.layout.nodes[node.id] }));
    expect(placed.filter(({ place }) => place === undefined)).toEqual([]);
    const cards = placed.flatMap(({ node, place }) => {
      if (!place || node.type === 'frame') return [];
      const small = catalogue.nodes.get(node.type)?.role === 'policy';
      return [
        {
          id: node.id,
          parent: node.parent,
          x: place.x,
          y: place.y,
          right: place.x + (place.width ?? 240),
          bottom: place.y + (place.height ?? (small ? 68 : 96)),
        },
      ];
    });
    const overlapping = cards.flatMap((a, index) =>
      cards
        .slice(index + 1)
        // places inside a container are relative to it
        .filter((b) => a.parent === b.parent && a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)
        .map((b) => `${a.id} × ${b.id}`),
    );
    expect(overlapping).toEqual([]);
  });

  test(`${id}: the sample does not fit the flow, or its folder is not there`, () => {
    const input = document.nodes.find((node) => node.type === 'input');
    const schema = input?.config.schema;
    expect(isJsonObject(schema) && schemaProblems(schema, sample.input)).toEqual([]);
    expect(z.array(z.unknown()).parse(input?.config.samples)).toContainEqual(sample.input);
    expect(existsSync(join(samples, sample.workspace ?? ''))).toBe(true);
  });

  test(`${id}: the script or the answers speak of nodes the flow does not have`, () => {
    const ids = new Set(document.nodes.map((node) => node.id));
    expect([...script.replies, ...answers].map((entry) => entry.node ?? '').filter((node) => !ids.has(node))).toEqual([]);
  });

  test(`${id}: the script would answer another question than the sample's`, () => {
    expect(script.replies.filter((reply) => reply.when?.contains === undefined)).toEqual([]);
  });
}
