import type { AskAnswer, AskInput } from '../contract/ask';
import type { DecisionInput } from '../contract/decision';
import { userError } from '../contract/errors';
import type {
  Attachment,
  BodyOptions,
  BodyResult,
  BranchState,
  ExecuteContext,
  InboxMessage,
  OutboundRequest,
  OutboundResponse,
  SandboxLimits,
  ToolOutcome,
} from '../contract/execute';
import type { Json, JsonObject } from '../contract/json';
import type { ModelReply, ModelRequest, ModelRole } from '../contract/model';
import type { CallScope, ToolSpec } from '../contract/tool';
import { evaluateExpression } from '../expression/evaluate';
import { renderTemplate } from '../expression/template';
import { channelsAt } from './branches';
import { scopeForExpression, scopeForTemplate } from './expression-scope';
import { readInbox } from './inbox';
import { callModel } from './model-call';
import { flowOf } from './plan-lookup';
import type { Scope } from './snapshot';
import { callTool, offeredTools } from './tool-call';
import type { VisitRun } from './visit-run';

const branchState = (scope: Scope | undefined): BranchState[] =>
  scope?.branch ? [{ id: scope.id, state: scope.branch.channels, received: scope.branch.received }] : [];

/** What an executor is handed. Effects are numbered in the order they are asked for, which is how a second execution finds its answers. */
export class VisitContext implements ExecuteContext {
  readonly config: unknown;
  readonly node: ExecuteContext['node'];
  readonly visit: ExecuteContext['visit'];
  readonly run: ExecuteContext['run'];
  readonly input: Json;
  readonly received: Json;
  readonly branches: readonly BranchState[];
  readonly attachments: readonly Attachment[];
  private readonly counts = new Map<string, number>();

  constructor(private readonly visitRun: VisitRun) {
    const { driver, visit, view, node } = visitRun;
    this.config = node.config;
    this.node = { id: node.id, label: node.label, type: node.type };
    this.visit = { id: visit.id, number: visit.number, attempt: visit.attempt };
    this.run = { id: driver.runId, sessionId: driver.snapshot.sessionId, workspace: driver.snapshot.workspace };
    this.input = driver.snapshot.scopes[visit.scope]?.input ?? null;
    this.received = view.received;
    this.attachments = visitRun.policies.map(({ id, type, config }) => ({ id, type, config }));
    this.branches = (visit.merged ?? []).flatMap((id) => branchState(driver.snapshot.scopes[id]));
    // Executors take these off the context (`({ decide }) => …`), so they keep their `this`.
    this.text = this.text.bind(this);
    this.evaluate = this.evaluate.bind(this);
    this.decide = this.decide.bind(this);
    this.log = this.log.bind(this);
    this.once = this.once.bind(this);
    this.model = this.model.bind(this);
    this.hasOwnModel = this.hasOwnModel.bind(this);
    this.tools = this.tools.bind(this);
    this.tool = this.tool.bind(this);
    this.ask = this.ask.bind(this);
    this.sleep = this.sleep.bind(this);
    this.each = this.each.bind(this);
    this.fetch = this.fetch.bind(this);
    this.sandbox = this.sandbox.bind(this);
    this.now = this.now.bind(this);
    this.inbox = this.inbox.bind(this);
  }

  get signal(): AbortSignal {
    return this.visitRun.controller.signal;
  }

  get state(): Readonly<Record<string, Json>> {
    return channelsAt(this.visitRun.driver.snapshot, this.visitRun.visit.scope);
  }

  text(template: string): string {
    return renderTemplate(template, scopeForTemplate(this.visitRun.view, template));
  }

  evaluate(expression: string, extra?: JsonObject): Json {
    return evaluateExpression(expression, scopeForExpression(this.visitRun.view, expression, extra));
  }

  decide(decision: DecisionInput): void {
    this.visitRun.note({ kind: 'decision', decision: { alternatives: [], ...decision } });
  }

  log(level: 'info' | 'warning', message: string): void {
    this.visitRun.note({ kind: 'log', level, message });
  }

  async once<T extends Json>(key: string, work: () => Promise<T> | T): Promise<T> {
    const stored = `once:${key}`;
    const known = this.visitRun.memo(stored);
    // The value was stored by this same call in an earlier execution.
    if (known) return known.value as T;
    const value = await work();
    await this.visitRun.record([{ kind: 'effect-end', key: stored, value }]);
    return value;
  }

  model(request: ModelRequest): Promise<ModelReply> {
    return callModel(this.visitRun, { key: this.next('model'), call: this.counts.get('model') ?? 1, request });
  }

  hasOwnModel(role: ModelRole): boolean {
    const { driver, visit } = this.visitRun;
    if (role === 'primary' || flowOf(driver.plan, driver.snapshot, visit).settings.models[role] !== undefined) return true;
    // The host may have a model for the role where the flow names none.
    const [own, primary] = [driver.host.describeModel(role), driver.host.describeModel('primary')];
    return own.provider !== primary.provider || own.model !== primary.model;
  }

  tools(): ToolSpec[] {
    return offeredTools(this.visitRun);
  }

  tool(name: string, input: Json, scope?: CallScope): Promise<ToolOutcome> {
    return callTool(this.visitRun, { key: this.next('tool'), name, input, ...(scope === undefined ? {} : { scope }) });
  }

  ask(key: string, ask: AskInput): Promise<AskAnswer> {
    return this.visitRun.ask(`ask:${key}`, ask);
  }

  sleep(key: string, milliseconds: number): Promise<void> {
    if (!Number.isFinite(milliseconds)) throw userError('WAIT_INVALID', `"${this.node.label}" cannot wait for ${milliseconds} ms.`);
    return this.visitRun.sleep(`sleep:${key}`, milliseconds);
  }

  each(key: string, items: Json[], options: BodyOptions): Promise<BodyResult[]> {
    return this.visitRun.each(`each:${key}`, items, options);
  }

  fetch(request: OutboundRequest): Promise<OutboundResponse> {
    const { host } = this.visitRun.driver;
    return this.stored('fetch', () => host.fetch(request, this.signal));
  }

  sandbox(source: string, globals: JsonObject, limits: SandboxLimits): Promise<Json> {
    const { host } = this.visitRun.driver;
    return this.stored('sandbox', () => host.sandbox(source, globals, limits, this.signal));
  }

  now(): Promise<number> {
    return this.stored('now', () => this.visitRun.now());
  }

  inbox(): Promise<InboxMessage[]> {
    return readInbox(this.visitRun, `inbox:${this.next('inbox')}`);
  }

  private stored<T>(kind: string, work: () => Promise<T> | T): Promise<T> {
    // What these effects return is plain JSON by their contracts, which interfaces cannot show to `once`.
    return this.once(this.next(kind), work as () => Promise<Json>) as Promise<T>;
  }

  private next(kind: string): string {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return `${kind}:${count}`;
  }
}
