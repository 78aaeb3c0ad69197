import { describe, expect, it } from 'vitest';
import { catalogue } from '@/nodes/catalog';
import { isIconName } from '../ui/icon-names';
import { factsOf } from './node-facts';
import { schemaRows } from './schema-rows';

describe('reference pages', () => {
  const manifests = [...catalogue.nodes.values()];

  it.each(manifests.map((manifest) => [manifest.id, manifest] as const))(
    '%s: every config field has a row with a type',
    (_id, manifest) => {
      const rows = schemaRows(factsOf(manifest).configSchema);
      for (const key of Object.keys(manifest.config.shape)) expect(rows.find((row) => row.path === key)?.type).toMatch(/\w/);
    },
  );

  it('draws every manifest with its own icon, not with the stand-in box', () => {
    expect(manifests.filter((manifest) => !isIconName(manifest.icon)).map((manifest) => `${manifest.id}: ${manifest.icon}`)).toEqual([]);
  });

  it('shows bounds and defaults inside nullable fields and lists', () => {
    const rows = schemaRows({
      type: 'object',
      required: ['items'],
      properties: {
        limit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }], default: null },
        items: { type: 'array', items: { type: 'object', properties: { id: { type: 'string', minLength: 1 } }, required: ['id'] } },
      },
    });
    expect(rows.map(({ path, type, fallback, bounds, required }) => [path, type, fallback, bounds, required])).toEqual([
      ['limit', 'integer | null', 'null', '≥ 1, ≤ 9', false],
      ['items', 'list of object', null, '', true],
      ['items[].id', 'text', null, 'at least 1 character', true],
    ]);
  });

  it('ends on a schema that refers to itself', () => {
    const schema = { $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } }, $ref: '#/$defs/tree' };
    expect(schemaRows(schema).length).toBeGreaterThan(0);
  });
});
