import { expect, test } from 'vitest';
import type { Json } from '../contract/json';
import { type GuardedToolCall, implementPolicy, type PolicyContext, type PolicyHooks } from '../contract/policy';
import type { ToolContext, ToolHost } from '../contract/tool';
import { draw } from '../testing/draw';
import { planOfDocument, startWith, TestWorld, toolSpec } from '../testing/test-host';
import { testCatalogue, testRuntime } from '../testing/test-runtime';
import { RunDriver } from './driver';

/** What the hooks of a policy are told, and what they may set, around real visits. */

type Hooks = PolicyHooks<unknown>;
const flow = (use: Record<string, Json>) =>
  draw({ nodes: { s: 'start', u: ['use', { tool: 'run', ...use }], g: 'guard', z: 'end' }, edges: ['s>u', 'u>z', 'g@u'] });

interface Options {
  hooks: Hooks;
  use?: (context: ToolContext) => Json;
  targets?: ToolHost['targets'];
  workspace?: string;
}

async function begin({ hooks, use = () => 'used', targets, workspace }: Options) {
  const manifest = testCatalogue.nodes.get('guard');
  if (!manifest) throw new Error('the test catalogue has no guard');
  const runtime = { ...testRuntime, policies: new Map([['guard', implementPolicy(manifest, hooks)]]) };
  const world = new TestWorld();
  world.tools = [toolSpec('run', 'write')];
  world.use = (_name, _input, context) => use(context);
  const host = world.host(runtime);
  const driver = new RunDriver(planOfDocument(flow({})), targets ? { ...host, tools: { ...host.tools, targets } } : host, 'run');
  await driver.start(startWith(null, workspace === undefined ? {} : { workspace }));
  await world.settle();
  return { world, driver };
}
const decision = { rule: 'r', outcome: 'o', because: [] };

test('a policy did not learn what the paths of a call are on disk, or where the run works', async () => {
  const seen: { call: GuardedToolCall; context: PolicyContext<unknown> }[] = [];
  const targets = { root: '/copy', paths: [{ path: 'a', exists: false, outside: false }] };
  await begin({
    hooks: {
      beforeTool: (context, call) => {
        seen.push({ call, context });
        return { verdict: 'allow' };
      },
    },
    targets: async () => targets,
    workspace: '/chosen',
  });
  expect(seen[0]?.call.targets).toEqual(targets);
  expect(seen[0]?.context).toMatchObject({ run: { id: 'run', workspace: '/chosen' }, node: { type: 'use' }, calls: expect.any(Array) });
});

test('limits of an allowed call did not reach the tool, or the shortest time did not win', async () => {
  const given: ToolContext[] = [];
  const keep = { pattern: 'x', except: ['a'] };
  await begin({
    hooks: { beforeTool: () => ({ verdict: 'allow', limits: { keep, timeoutMs: 500 } }) },
    use: (context) => {
      given.push(context);
      return null;
    },
  });
  expect(given[0]).toMatchObject({ keep: [keep], timeoutMs: 500 });
});

test('a call that changed what is to be kept was told as if nothing had happened', async () => {
  const files = { before: { x: '1' }, after: { x: '2' }, restored: ['x'] };
  const { world, driver } = await begin({
    hooks: {
      beforeTool: () => ({ verdict: 'allow', limits: { keep: { pattern: 'x', except: [] } } }),
      afterTool: (_context, { kept }) => ({ verdict: 'deny', message: `put back ${kept.restored.join()}`, decision }),
    },
    use: (context) => {
      context.onKept?.(0, files);
      return 'used';
    },
  });
  expect((await driver.done).output).toEqual({ status: 'denied', message: 'put back x' });
  const kinds = world.events.map(({ kind }) => kind);
  expect(kinds.indexOf('guard-verdict')).toBeGreaterThan(kinds.indexOf('tool-start'));
  expect(kinds.indexOf('guard-verdict')).toBeLessThan(kinds.indexOf('tool-end'));
});

test('the words for a refusal by a person were not used, or what they said was lost', async () => {
  const choices = [
    { id: 'yes', label: 'Yes', tone: 'accept' as const },
    { id: 'no', label: 'No', tone: 'reject' as const },
  ];
  const { world, driver } = await begin({
    hooks: {
      beforeTool: () => ({
        verdict: 'ask',
        ask: { kind: 'tool-approval', title: 't', choices },
        refusal: 'ERROR: not approved by user.',
        decision,
      }),
    },
  });
  const open = world.events.find((event) => event.kind === 'ask-open');
  if (open?.kind !== 'ask-open') throw new Error('nobody was asked');
  await driver.answer(open.askId, open.hash, { choice: 'no', comment: 'Too risky.', by: 'person' });
  await world.settle();
  expect((await driver.done).output).toEqual({ status: 'denied', message: 'ERROR: not approved by user. They said: Too risky.' });
  expect(world.toolCalls).toEqual([]);
});
