import { describe, expect, it } from 'vitest';
import { importAll } from './import-file';

const file = (name: string, text: string, size = text.length) => ({ name, size, text: async () => text });
const call = async (text: string) => {
  const parsed: { name: string } = JSON.parse(text);
  return { id: parsed.name, name: parsed.name, notices: [] };
};
const explain = (error: unknown) => (error instanceof Error ? error.message : '');

describe('importing several files', () => {
  it('imports the four good ones and names the malformed one (BR-36)', async () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => file(`${name}.json`, JSON.stringify({ name })));
    files.splice(2, 0, file('bad.json', '{"name":'));
    const outcomes = await importAll(files, call, explain);
    expect(outcomes.filter((outcome) => outcome.flow !== null).map((outcome) => outcome.source)).toEqual([
      'a.json',
      'b.json',
      'c.json',
      'd.json',
    ]);
    expect(outcomes.find((outcome) => outcome.flow === null)?.source).toBe('bad.json');
  });

  it('says that a zip is a zip instead of sending its bytes as a flow', async () => {
    const [outcome] = await importAll([file('flows.zip', 'PK\u0003\u0004rubbish')], call, explain);
    expect(outcome?.messages[0]).toContain('zip archive');
  });

  it('does not read a file that is too large into memory', async () => {
    const big = { name: 'big.json', size: 30_000_000, text: () => Promise.reject(new Error('was read')) };
    expect((await importAll([big], call, explain))[0]?.messages[0]).toContain('20 MB');
  });

  it('takes a file that begins with a byte order mark', async () => {
    expect((await importAll([file('bom.json', '\uFEFF{"name":"x"}')], call, explain))[0]?.flow?.id).toBe('x');
  });
});
