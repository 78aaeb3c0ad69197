import { expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { specOf } from '../../testing/fake-context';
import { fakePolicy } from '../../testing/fake-policy';
import { toolGuard } from './node';
import { toolGuardPolicy } from './policy';

const { hooks } = toolGuardPolicy;
const read = specOf({ name: 'read_file' });
const write = specOf({ name: 'write_file', effect: 'write' });
const put = specOf({ name: 'put_record', effect: 'idempotent' });
const call = (tool: typeof read, config: JsonObject) =>
  hooks.beforeTool?.(fakePolicy(toolGuard, { config }), { tool, input: { path: 'a' } });
const left = (config: JsonObject) => hooks.filterTools?.(fakePolicy(toolGuard, { config }), [read, write, put]).map((tool) => tool.name);

test('read only let something through that changes the world', () => {
  expect(call(read, { readOnly: true })).toMatchObject({ verdict: 'allow' });
  for (const tool of [write, put])
    expect(call(tool, { readOnly: true })).toMatchObject({ verdict: 'deny', decision: { rule: 'read only' } });
});

test('an empty allow list allowed everything', () => {
  expect(call(read, { allow: [] })).toMatchObject({ verdict: 'deny', decision: { rule: 'allow list' } });
  expect(call(read, { allow: null })).toMatchObject({ verdict: 'allow' });
});

test('a denied tool was allowed because it is also on the allow list', () => {
  expect(call(read, { allow: ['read_file'], deny: ['read_file'] })).toMatchObject({ verdict: 'deny', decision: { rule: 'denied tool' } });
});

test('approval was asked for a tool that is refused anyway, or not asked at all', () => {
  expect(call(write, { approval: ['write'], readOnly: true })).toMatchObject({ verdict: 'deny' });
  expect(call(write, { approval: ['write'] })).toMatchObject({
    verdict: 'ask',
    ask: { kind: 'tool-approval', shown: { tool: 'write_file', arguments: { path: 'a' } } },
    decision: { because: [{}, {}, { name: 'matched entry', value: 'write' }] },
  });
  expect(call(read, { approval: ['write'] })).toMatchObject({ verdict: 'allow' });
  expect(call(read, { approval: ['read_file'] })).toMatchObject({ verdict: 'ask' });
});

test('the caller was not told why, or not in the words configured', () => {
  expect(call(write, { readOnly: true })).toMatchObject({ message: 'write_file may change something, and only reading is allowed here.' });
  expect(call(write, { readOnly: true, message: 'Ask the owner.' })).toMatchObject({ message: 'Ask the owner.' });
});

test('tools were hidden that may be called, or shown although hiding is on', () => {
  expect(left({ readOnly: true })).toEqual(['read_file', 'write_file', 'put_record']);
  expect(left({ readOnly: true, hide: true })).toEqual(['read_file']);
  expect(left({ approval: ['write'], hide: true })).toEqual(['read_file', 'write_file', 'put_record']);
});
