import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ToolCall } from '@/harness/contract/model';
import type { ConfigOf } from '@/harness/contract/node';
import type { ToolSpec } from '@/harness/contract/tool';
import { pathsOf } from '@/harness/layers/execution/change';
import type { EnvironmentChange } from '@/harness/layers/world-model/state';
import { schemaProblems } from '../../support/json-schema';
import { readJson } from '../../support/structured';
import type { Proposal, ToolResult, WorkMessage } from '../channels';
import { asText, isoNow } from '../support/helpers';
import { openCalls, toolProposal } from '../support/work';
import { errorMark, timesAnswered } from './messages';
import type { act } from './node';

export type ActContext = ExecuteContext<ConfigOf<typeof act>>;

export type CallStatus = 'ok' | 'denied' | 'failed' | 'unknown' | 'invalid' | 'repeated' | 'skipped';

export interface CallRecord {
  tool: string;
  input: Json;
  status: CallStatus;
  output: Json;
}

/** What one visit does to the task's conversation and to the world. */
export class Turn {
  readonly calls: CallRecord[] = [];
  readonly results: ToolResult[] = [];
  readonly changes: EnvironmentChange[] = [];
  readonly messages: WorkMessage[];
  private readonly specs: ReadonlyMap<string, ToolSpec>;
  private readonly writing: ReadonlySet<string>;

  constructor(
    private readonly context: ActContext,
    private readonly work: { id: string; step: number; logged: number },
    { messages, tools }: { messages: readonly WorkMessage[]; tools: readonly ToolSpec[] },
  ) {
    this.messages = [...messages];
    this.specs = new Map(tools.map((tool) => [tool.name, tool]));
    this.writing = new Set(tools.filter(({ effect }) => effect === 'write').map(({ name }) => name));
  }

  /**
   * Answers the calls that wait, in their order. Whatever is wrong with a call is told to the model, never thrown. A write that no gate has
   * let pass stops here and is returned; those behind it wait with it.
   */
  async answerOpen(approved: string | null): Promise<Proposal | null> {
    const { gateWrites, maxCalls } = this.context.config;
    const replied = this.messages.findLast(({ tool_calls }) => tool_calls !== undefined)?.tool_calls ?? [];
    const surplus = new Set(replied.slice(maxCalls).map(({ id }) => id));
    for (const call of openCalls(this.messages)) {
      const refusal = surplus.has(call.id)
        ? ({
            status: 'skipped',
            message: `Only ${maxCalls} calls per reply are made here. Make this call again if you still need it.`,
          } as const)
        : this.refusalOf(call);
      if (refusal) this.refuse(call, refusal);
      else if (gateWrites && this.writing.has(call.name) && call.id !== approved) return toolProposal(this.work.id, call);
      else await this.make(call);
    }
    return null;
  }

  /** What is wrong with a call before it is made. */
  private refusalOf(call: ToolCall): { status: CallStatus; message: string } | null {
    const spec = this.specs.get(call.name);
    if (!spec) {
      const names = [...this.specs.keys()].join(', ') || 'none';
      return { status: 'unknown', message: `There is no tool "${call.name}" here. Tools: ${names}.` };
    }
    if (!isJsonObject(call.arguments)) {
      return { status: 'invalid', message: 'The arguments must be one JSON object that fits the tool’s input schema.' };
    }
    const problems = problemsOf(spec, call.arguments);
    if (problems.length > 0) return { status: 'invalid', message: `The arguments do not fit the tool: ${problems.join('; ')}.` };
    return this.repetition(call);
  }

  private repetition(call: ToolCall): { status: CallStatus; message: string } | null {
    const { repeatLimit } = this.context.config;
    const count = timesAnswered(this.messages, call, this.writing) + 1;
    if (repeatLimit === 0 || count < repeatLimit) return null;
    this.context.decide({
      rule: 'same call again',
      outcome: 'not made',
      because: [
        {
          name: `identical calls of ${call.name} since the last write`,
          value: count,
          operator: '>=',
          threshold: repeatLimit,
          distance: count - repeatLimit,
          holds: true,
        },
      ],
      alternatives: [{ outcome: 'call', needs: 'other arguments, a write in between, or a higher “Same call again”' }],
    });
    const message = `You have made this exact call ${count - 1} times since the last change and its result is above. Do something else: other arguments, another tool, or answer with what you have.`;
    return { status: 'repeated', message };
  }

  private async make(call: ToolCall): Promise<void> {
    const outcome = await this.context.tool(call.name, call.arguments);
    const at = await isoNow(this.context);
    if (outcome.status === 'ok') this.answer(call, { status: 'ok', output: outcome.output, told: asText(outcome.output) });
    else {
      const status = outcome.status === 'failed' && outcome.code === 'TOOL_INPUT' ? 'invalid' : outcome.status;
      const prefix = outcome.status === 'denied' ? 'Refused: ' : '';
      this.answer(call, { status, output: outcome.message, told: `${errorMark}${prefix}${outcome.message}` });
      // A call that does not fit the tool says nothing about the world.
      if (status === 'invalid') return;
    }
    this.record(call, outcome.status, outcome.status === 'ok' ? outcome.output : outcome.message, at);
  }

  private record(call: ToolCall, status: ToolResult['status'], output: Json, at: string): void {
    const effect = this.specs.get(call.name)?.effect ?? 'write';
    const wrote = effect === 'write' && status === 'ok';
    const paths = wrote ? [...new Set([...pathsOf(call.arguments), ...pathsOf(output)])] : [];
    const { id, step, logged } = this.work;
    const number = this.results.length;
    this.results.push({
      id: `call-${id}-${step}-${call.id}`,
      task_id: id,
      tool: call.name,
      input: call.arguments,
      status,
      output,
      effect,
      paths,
      at,
    });
    if (wrote) {
      this.changes.push({
        id: `change-${id}-${step}-${logged + number}`,
        description: `${call.name}${paths.length > 0 ? ` ${paths.join(', ')}` : ''}`,
        affected_paths: paths,
        timestamp: at,
      });
    }
  }

  private refuse(call: ToolCall, { status, message }: { status: CallStatus; message: string }): void {
    this.answer(call, { status, output: message, told: `${errorMark}${message}` });
  }

  private answer(call: ToolCall, { status, output, told }: { status: CallStatus; output: Json; told: string }): void {
    this.calls.push({ tool: call.name, input: call.arguments, status, output });
    const { maxToolResultChars: longest } = this.context.config;
    const content =
      told.length <= longest ? told : `${told.slice(0, longest)}\n[cut: ${told.length - longest} more characters. Ask for less.]`;
    this.messages.push({ role: 'tool', content, tool_call_id: call.id, tool: call.name });
  }
}

/** Providers hand arguments over as an object, as its JSON text, or as nothing for a tool without input; what is none of these stays. */
export function plainArguments(call: ToolCall): ToolCall {
  const { arguments: given } = call;
  if (given === null || given === '') return { ...call, arguments: {} };
  if (typeof given !== 'string') return call;
  const read = readJson(given);
  return { ...call, arguments: read ?? given };
}

/** A tool whose schema cannot be used is left to judge its input itself. */
function problemsOf(spec: ToolSpec, input: Json): string[] {
  try {
    return schemaProblems(spec.inputSchema, input);
  } catch {
    return [];
  }
}
