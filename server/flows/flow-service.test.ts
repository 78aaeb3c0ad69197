import { afterEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import { lineOf, storeLine, temporaryHost } from '../testing/temporary-host';

const open: { close: () => Promise<void> }[] = [];
const fresh = () => {
  const made = temporaryHost();
  open.push(made);
  return made.host;
};
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    return toErrorRecord(thrown).code;
  }
  return 'nothing thrown';
};

describe('flows', () => {
  it('go out and come back three times as three copies with free names (BR-32, BR-28)', () => {
    const { flows } = fresh().services;
    const { id } = flows.create({ templateId: 'grounded-answer' });
    const { text, filename } = flows.export(id);
    expect(filename).toMatch(/^[\p{L}\p{N}-]+\.bridle\.json$/u);
    const copies = [1, 2, 3].map(() => flows.import(text));
    expect(new Set([id, ...copies.map((copy) => copy.id)]).size).toBe(4);
    expect(new Set(flows.list().map(({ name }) => name)).size).toBe(4);
    for (const copy of copies)
      expect({ ...flows.get(copy.id).document, id: '', name: '' }).toEqual({ ...flows.get(id).document, id: '', name: '' });
  });

  it('of a newer version, cut off, or of another kind are refused, and nothing is written (BR-26, BR-27)', () => {
    const { flows } = fresh().services;
    const text = JSON.stringify(lineOf('x', []));
    expect(codeOf(() => flows.import(text.replace('"version":1', '"version":99')))).toBe('FLOW_VERSION_NEWER');
    expect(codeOf(() => flows.import(text.slice(0, -5)))).toBe('FLOW_NOT_JSON');
    for (const other of ['null', '[]', '{"nodes":{}}', '7']) expect(codeOf(() => flows.import(other))).toMatch(/^FLOW_/);
    expect(flows.list()).toEqual([]);
  });

  it('with a dangling edge and an unknown node open, are kept whole, and cannot run (BR-25, BR-31)', async () => {
    const { flows, runs } = fresh().services;
    const document = lineOf('x', [{ id: 'strange', type: 'from-the-future', config: { kept: true } }]);
    document.edges.push({ id: 'dangling', kind: 'flow', source: 'input', port: 'next', target: 'nobody' });
    const { id, notices } = flows.import(JSON.stringify(document));
    expect(notices.join(' ')).toMatch(/dangling/);
    const text = flows.export(id).text;
    expect(text).toContain('"kept": true');
    expect(text).toContain('"dangling"');
    await expect(runs.start({ flowId: id, input: {} })).rejects.toMatchObject({ code: 'FLOW_NOT_RUNNABLE' });
    expect(runs.list({ limit: 5 }).runs).toEqual([]);
  });

  it('that were damaged on disk can still be opened, downloaded and restored (BR-24)', async () => {
    const host = fresh();
    const { flows } = host.services;
    const id = storeLine(host, []);
    flows.saveVersion(id, 'sound');
    const { default: Database } = await import('better-sqlite3');
    const raw = new Database(`${host.environment.dataFolder}/bridle.db`);
    raw.prepare('UPDATE flows SET document = ? WHERE id = ?').run('{"broken":', id);
    raw.close();
    expect(flows.get(id)).toMatchObject({ raw: '{"broken":', problem: expect.stringContaining('JSON') });
    expect(flows.export(id).text).toBe('{"broken":');
    expect(flows.restoreVersion(id, 1).revision).toBe(3);
    expect(flows.get(id).problem).toBeUndefined();
  });

  it('with doubled ids are not stored (a flow that cannot be opened again)', () => {
    const host = fresh();
    const id = storeLine(host, []);
    const { document, revision } = host.services.flows.get(id);
    const [first] = document.nodes;
    if (first === undefined) throw new Error('a line has nodes');
    expect(codeOf(() => host.services.flows.save(id, { ...document, nodes: [...document.nodes, first] }, revision))).toBe(
      'FLOW_DUPLICATE_ID',
    );
    expect(codeOf(() => host.services.flows.save(id, { ...document, id: 'other' }, revision))).toBe('FLOW_ID_MISMATCH');
  });
});
