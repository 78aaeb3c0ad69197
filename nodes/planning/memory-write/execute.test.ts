import { expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeMemoryWrite } from './execute';
import { memoryWriteNode } from './node';

const known = (more: JsonObject = {}) => ({ id: 'k', content: 'Tests run with pytest -q.', category: 'testing', ...more });

async function write(config: JsonObject, rows: unknown[] = []) {
  const fake = fakeContext(memoryWriteNode, {
    config,
    input: { message: 'Tests run with pytest -q.' },
    state: planningValues({ workspaceMemories: rows }),
  });
  const { output, writes } = await executeMemoryWrite.execute(fake.context);
  return { outcome: Object(output).outcome, rows: writes?.workspaceMemories ?? [], decisions: fake.decisions };
}
const content = '{{input.message}}';

test('a suggestion was confirmed by itself, not counted, or not promoted at the third sighting', async () => {
  expect(await write({ content, category: 'testing' })).toMatchObject({
    outcome: 'added',
    rows: [{ curation_status: 'auto', category: 'testing' }],
  });
  expect(await write({ content }, [known()])).toMatchObject({ outcome: 'seen', rows: [{ id: 'k', seen_count: 2 }] });
  expect(await write({ content }, [known({ seen_count: 2 })])).toMatchObject({
    outcome: 'promoted',
    rows: [{ curation_status: 'high_confidence_auto' }],
  });
});

test('what a person rejected came in again, unless they say it anew', async () => {
  const rejected = [known({ curation_status: 'user_rejected' })];
  expect(await write({ content }, rejected)).toMatchObject({ outcome: 'refused', rows: [] });
  expect(await write({ act: 'add', content }, rejected)).toMatchObject({
    outcome: 'confirmed',
    rows: [{ id: 'k', curation_status: 'user_confirmed', confidence: 0.9 }],
  });
});

test('an act on a memory did not change its status, or one on an unknown id changed something', async () => {
  expect(await write({ act: 'confirm', memoryId: 'k' }, [known()])).toMatchObject({
    outcome: 'confirmed',
    rows: [{ curation_status: 'user_confirmed', confidence: 0.9 }],
  });
  expect(await write({ act: 'reject', memoryId: 'k' }, [known()])).toMatchObject({
    outcome: 'rejected',
    rows: [{ curation_status: 'user_rejected', confidence: 0 }],
  });
  expect(await write({ act: 'archive', memoryId: 'k' }, [known()])).toMatchObject({
    outcome: 'archived',
    rows: [{ curation_status: 'superseded' }],
  });
  expect(await write({ act: 'confirm', memoryId: 'x' }, [known()])).toMatchObject({ outcome: 'unknown', rows: [] });
});

test('blank content became a memory', async () => {
  expect(await write({ content: '  ' })).toMatchObject({ outcome: 'nothing', rows: [] });
});
