import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { catalogue } from '@/nodes/catalog';
import { blankOf, commonFields, errorsOf, formOf, isShown, sectionsOf, titleOf } from './form-model';

const manifest = defineNode({
  id: 'sample',
  version: 1,
  category: 'flow',
  layer: 'flow',
  authority: 'deterministic',
  role: 'step',
  title: 'Sample',
  icon: 'box',
  summary: 'For the test.',
  config: z.object({
    mode: z.enum(['a', 'b']).default('a'),
    limit: z.int().min(1).max(9).default(3).meta({ title: 'Limit', description: 'How often.' }),
    ratio: z.number().min(0).max(1).nullable().default(null),
    only: z.string().default(''),
    rows: z.array(z.object({ id: z.string().min(1), note: z.string().default('') })).default([]),
    names: z.array(z.string()).default([]),
    map: z.record(z.string(), z.string()).default({}),
    secretly: z.string().default(''),
  }),
  ports: ['next'],
  outputs: z.null(),
  fields: {
    limit: { section: 'Limits' },
    only: { widget: 'expression', when: { field: 'mode', is: 'b' } },
    rows: { items: { note: { widget: 'template', rows: 3 } } },
    map: { items: { widget: 'expression' } },
    secretly: { widget: 'hidden' },
  },
});

const field = (key: string) => {
  const found = formOf(manifest).find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no field ${key}`);
  return found;
};

describe('a form derived from a config schema', () => {
  test('each schema shape gets its own kind of control', () => {
    expect(formOf(manifest).map(({ key, kind }) => [key, kind])).toEqual([
      ['mode', 'choice'],
      ['limit', 'number'],
      ['ratio', 'number'],
      ['only', 'text'],
      ['rows', 'list'],
      ['names', 'strings'],
      ['map', 'record'],
    ]);
  });

  test('titles, help, bounds and defaults come from the schema, not from a second list', () => {
    expect(field('limit')).toMatchObject({
      title: 'Limit',
      help: 'How often.',
      min: 1,
      max: 9,
      integer: true,
      default: 3,
      section: 'Limits',
    });
    expect(field('only').title).toBe('Only');
  });

  test('a nullable number keeps its bounds', () => {
    expect(field('ratio')).toMatchObject({ kind: 'number', nullable: true, min: 0, max: 1, default: null });
  });

  test('hints reach into rows and records', () => {
    expect(field('rows').fields.map(({ key, widget, rows }) => [key, widget, rows])).toEqual([
      ['id', null, 1],
      ['note', 'template', 3],
    ]);
    expect(field('map').item?.widget).toBe('expression');
  });

  test('a conditional field follows the default of the field it depends on', () => {
    const form = formOf(manifest);
    expect(isShown(field('only'), {}, form)).toBe(false);
    expect(isShown(field('only'), { mode: 'b' }, form)).toBe(true);
  });

  test('fields without a section stand first', () => {
    expect(sectionsOf(formOf(manifest)).map((section) => section.title)).toEqual([null, 'Limits']);
  });

  test('a problem is reported at the field it is in', () => {
    const errors = errorsOf(manifest, { limit: 99, rows: [{ id: 'x' }, { id: '' }] });
    expect([...errors.keys()].sort()).toEqual(['limit', 'rows.1.id']);
  });

  test('a new row starts from the defaults of its fields', () => {
    expect(blankOf({ ...field('rows'), kind: 'object', default: undefined })).toEqual({ id: '', note: '' });
  });

  test('a name made of a key reads as words', () => {
    expect(titleOf('maxTurns_now')).toBe('Max turns now');
  });
});

describe('the whole catalogue', () => {
  test('every config field of every node type has a control of its own kind; only declared JSON falls back to JSON', () => {
    const fallen: string[] = [];
    for (const [id, type] of catalogue.nodes) {
      for (const entry of formOf(type)) {
        if (entry.kind === 'json' && entry.widget !== 'json' && entry.widget !== 'json-schema') fallen.push(`${id}.${entry.key}`);
      }
    }
    expect(fallen).toEqual([]);
  });

  test('every field has a title and every expanded row has fields', () => {
    for (const [id, type] of catalogue.nodes) {
      for (const entry of formOf(type)) {
        expect(entry.title, `${id}.${entry.key}`).not.toBe('');
        if (entry.kind === 'list') expect(entry.fields.length, `${id}.${entry.key}`).toBeGreaterThan(0);
      }
    }
  });

  test('two node types share only fields of the same form', () => {
    const llm = catalogue.nodes.get('llm-call');
    const agent = catalogue.nodes.get('agent');
    if (!llm || !agent) throw new Error('catalogue lost a type');
    const keys = commonFields([llm, agent]).map((entry) => entry.key);
    expect(keys).toContain('role');
    expect(keys).toContain('temperature');
    expect(keys).not.toContain('maxTurns');
  });
});
