import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { compile } from '@/harness/compiler/compile';
import { userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { RunDriver } from '@/harness/engine/driver';
import { MemoryEventLog } from '@/harness/engine/memory-event-log';
import { statusOf } from '@/harness/engine/snapshot';
import { parseFlow } from '@/harness/flow/parse-flow';
import type { FlowDocument } from '@/harness/flow/schema';
import type { ModelScript } from '@/harness/testing/model-script';
import { VirtualClock } from '@/harness/testing/virtual-clock';
import { runOptionsSchema, type TraceEvent } from '@/harness/trace/events';
import { catalogue } from '@/nodes/catalog';
import { sha256 } from '../host/hash';
import { createModelGateway } from '../models/gateway';
import { createProviderRegistry } from '../models/provider';
import { createOutboundClient } from '../outbound/client';
import type { Sandbox } from '../sandbox/sandbox';
import { builtInTools } from '../tools/built-in';
import { createToolHost } from '../tools/tool-host';
import { checkExpectations, type Outcome } from './expectations';
import type { LoadedScenario } from './load-scenario';
import { mismatch } from './matchers';
import { People } from './people';
import type { Moment, Scenario } from './scenario';
import { ScriptedWorld } from './scripted-world';
import { insideWorkspace, type PreparedWorkspace, prepareWorkspace, readWorkspaceFile } from './workspace';

export interface ScenarioResult {
  name: string;
  passed: boolean;
  problems: string[];
  status: string;
  events: readonly TraceEvent[];
}

/** Longest real time a scenario may take without anything happening, in milliseconds. */
const patienceMs = 60_000;

/** Runs one scenario in a world of its own: real tools on a fresh folder, scripted model and people, a clock that jumps. */
export async function runScenario(loaded: LoadedScenario, sandbox: Sandbox): Promise<ScenarioResult> {
  const { scenario } = loaded;
  const workspace = prepareWorkspace(loaded);
  try {
    const outcome = await play(loaded, workspace, sandbox);
    const problems = [...outcome.problems, ...checkExpectations(scenario.expect, outcome)];
    return { name: scenario.name, passed: problems.length === 0, problems, status: outcome.status, events: outcome.events };
  } finally {
    workspace.remove();
  }
}

type Played = Outcome & { problems: string[] };

async function play(loaded: LoadedScenario, workspace: PreparedWorkspace, sandbox: Sandbox): Promise<Played> {
  const { scenario } = loaded;
  const others = new Map(scenario.flows.map((flow) => documentOf(flow)).map((document) => [document.id, document]));
  const document = changedDocument(loaded.document ?? documentOf(loaded.flow), scenario.nodes);
  const { plan, diagnostics } = compile(document, { catalogue, hash: sha256, resolveFlow: (id) => others.get(id) });
  const readFile = (path: string) => readWorkspaceFile(workspace, path);
  if (!plan) {
    const errors = diagnostics
      .filter((entry) => entry.severity === 'error')
      .map((entry) => `does not compile: ${entry.code} ${entry.message}`);
    const problems = scenario.expect.status === 'refused' ? [] : errors;
    return { status: 'refused', end: null, events: [], channels: {}, usage: {}, diagnostics, readFile, problems };
  }
  const clock = new VirtualClock(scenario.clock === undefined ? undefined : Date.parse(scenario.clock.start));
  const outbound = createOutboundClient();
  const world = new ScriptedWorld({
    log: new MemoryEventLog(),
    clock,
    models: modelsOf(scenario, loaded.script, document),
    tools: createToolHost(builtInTools(outbound, scenario.commands)),
    outbound,
    sandbox,
    secrets: scenario.secrets,
    faults: scenario.faults,
  });
  const stage = new Stage(loaded, { world, clock, workspace });
  const open = () =>
    new RunDriver(
      plan,
      world.host((events) => stage.follow(events)),
      'run-scenario',
    );
  await stage.play(open);
  const { driver } = stage;
  const end = world.events.findLast((event) => event.kind === 'run-end');
  const { channels, usage } = driver.snapshot;
  return {
    status: statusOf(driver.snapshot),
    end: end?.kind === 'run-end' ? end : null,
    events: world.events,
    channels,
    usage: { ...usage },
    diagnostics,
    readFile,
    problems: stage.problems,
  };
}

function documentOf(flow: Json): FlowDocument {
  const parsed = parseFlow(JSON.stringify(flow));
  if (!parsed.ok) throw parsed.error;
  return parsed.document;
}

/** The document with what the scenario changes in it. Throws `SCENARIO_INVALID` for a node that is not there. */
function changedDocument(document: FlowDocument, changes: Scenario['nodes']): FlowDocument {
  const missing = Object.keys(changes).filter((id) => !document.nodes.some((node) => node.id === id));
  if (missing.length > 0)
    throw userError('SCENARIO_INVALID', `The scenario changes nodes that the flow does not have: ${missing.join(', ')}.`);
  const nodes = document.nodes.map((node) => {
    const { config, disabled } = changes[node.id] ?? { config: {} };
    return { ...node, config: { ...node.config, ...config }, ...(disabled === undefined ? {} : { disabled }) };
  });
  return { ...document, nodes };
}

/** Channel values as a run would hold them: through the channel's schema, which fills what is left out. */
function channelsOf({ channels }: Scenario): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(channels).map(([id, value]) => {
      const channel = catalogue.channels.get(id);
      if (!channel) throw userError('SCENARIO_INVALID', `The scenario begins with a channel that does not exist: "${id}".`);
      const parsed = channel.schema.safeParse(value);
      if (!parsed.success)
        throw userError('SCENARIO_INVALID', `The scenario's channel "${id}" is not valid: ${z.prettifyError(parsed.error)}`);
      // a channel's schema describes plain JSON
      return [id, parsed.data as Json];
    }),
  );
}

function modelsOf(scenario: Scenario, script: ModelScript | undefined, document: FlowDocument) {
  return createModelGateway({
    registry: createProviderRegistry(),
    models: document.settings.models,
    rehearsalOnly: true,
    deltaMs: 0,
    unscripted: scenario.unscripted ?? (scenario.script === undefined ? 'rehearse' : 'fail'),
    ...(script === undefined ? {} : { script }),
  });
}

/** Plays one scenario: lets the run go on, speaks for people, makes faults happen when their moment comes, and moves the clock when all is still. */
class Stage {
  readonly problems: string[] = [];
  driver!: RunDriver;
  private readonly people: People;
  private readonly pending: { after: Moment; seen: number; act: () => void }[];
  private killed = false;

  constructor(
    private readonly loaded: LoadedScenario,
    private readonly around: { world: ScriptedWorld; clock: VirtualClock; workspace: PreparedWorkspace },
  ) {
    const { scenario } = loaded;
    this.people = new People(loaded.answers);
    this.pending = scenario.faults.flatMap((fault) => {
      if (!('after' in fault)) return [];
      const act = () => {
        if ('kill' in fault) this.kill();
        else if ('cancel' in fault) void this.driver.cancel('person');
        else if ('advanceMs' in fault) this.around.clock.advance(fault.advanceMs);
        else if ('message' in fault) this.around.world.say(fault.message);
        else this.changeFiles(fault.files);
      };
      return [{ after: fault.after, seen: 0, act }];
    });
  }

  async play(open: () => RunDriver): Promise<void> {
    const { scenario } = this.loaded;
    this.driver = open();
    await Promise.race([
      this.driver.start({
        input: this.loaded.input,
        options: runOptionsSchema.parse(scenario.options),
        sessionId: null,
        workspace: this.around.workspace.folder,
        channels: channelsOf(scenario),
      }),
      nextTurn(),
    ]);
    await this.goOn(open);
    for (const { after } of this.pending) this.problems.push(`the moment of a fault never came: ${JSON.stringify(after)}`);
    for (const answer of this.people.unused()) this.problems.push(`an answer was never asked for: ${JSON.stringify(answer)}`);
  }

  private async goOn(open: () => RunDriver): Promise<void> {
    const { world, clock } = this.around;
    let still = 0;
    for (let last = -1; ; ) {
      if (this.killed) {
        this.killed = false;
        this.driver = open();
        await this.driver.restore();
      }
      if (world.broken !== null) throw world.broken;
      if (this.driver.snapshot.status !== 'running') return;
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      // Nobody speaks to a dead process.
      if (this.killed) continue;
      if (await this.people.speak(this.driver, clock)) continue;
      if (world.events.length !== last) {
        last = world.events.length;
        still = 0;
      } else if (world.underWay > 0) {
        await delay(2);
        still += 2;
        if (still > patienceMs) throw new Error(`nothing happened for ${patienceMs} ms after event ${last}`);
      } else {
        const next = clock.untilNext();
        if (next === null) return;
        clock.advance(next);
      }
    }
  }

  follow(events: readonly TraceEvent[]): void {
    for (const event of events) {
      for (const waiting of [...this.pending]) {
        if (!this.isMoment(event, waiting)) continue;
        this.pending.splice(this.pending.indexOf(waiting), 1);
        waiting.act();
      }
    }
  }

  private isMoment(event: TraceEvent, waiting: { after: Moment; seen: number }): boolean {
    const { after } = waiting;
    if (typeof after === 'number') return event.seq >= after;
    if (event.kind !== after.kind || (after.node !== undefined && event.nodeId !== after.node)) return false;
    // a TraceEvent is plain JSON
    if (after.where !== undefined && mismatch(event as unknown as Json, after.where) !== null) return false;
    waiting.seen += 1;
    return waiting.seen === after.count;
  }

  private kill(): void {
    this.around.world.kill(() => this.driver.stop());
    this.killed = true;
  }

  private changeFiles(files: Record<string, string | null>): void {
    for (const [path, text] of Object.entries(files)) {
      const place = insideWorkspace(this.around.workspace, path);
      if (text === null) rmSync(place, { force: true, recursive: true });
      else writeFileSync(place, text);
    }
  }
}
