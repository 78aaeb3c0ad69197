import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import type { ChatMessage, ToolCall } from '@/harness/contract/model';
import type { ToolSpec } from '@/harness/contract/tool';
import { pathsOf } from '@/harness/layers/execution/change';
import { contextTier, tierConfigSchema } from '@/harness/planning/context/tier';
import type { FinishedCall } from '@/harness/planning/control-loop/calls';
import { readJson } from '../../support/structured';
import { type LoopSettings, windowOf } from './config';
import type { LocalTool } from './local-tools';
import { shownOutput } from './show-output';
import { cappedInput, toolText } from './tool-text';

/** A call that was carried out, with what it gave. */
export interface LoopCall extends FinishedCall {
  id: string;
  /** What the model was told. */
  text: string;
  /** What the tool gave; the message when it did not go through. */
  output: Json;
  /** Workspace paths that it wrote. */
  paths: string[];
}

export type CallContext = Pick<ExecuteContext, 'tool' | 'model' | 'decide'>;

export interface CallTools {
  host: readonly ToolSpec[];
  local: readonly LocalTool[];
  settings: LoopSettings;
}

const errorText = (message: string): string => (message.startsWith('ERROR:') ? message : `ERROR: ${message}`);

/** Carries out one call. Whatever is wrong with it is told to the model and never thrown. */
export async function makeCall(context: CallContext, call: ToolCall, tools: CallTools): Promise<LoopCall> {
  const refused = (message: string): LoopCall => finished(call, { status: 'failed', text: errorText(message), output: message });
  if (!isJsonObject(call.arguments)) return refused('the arguments must be one JSON object that fits the tool.');
  const local = tools.local.find(({ offer }) => offer.name === call.name);
  if (local) {
    const { text, status = 'ok' } = await local.handle(call.arguments, call);
    return finished(call, { status, text, output: text });
  }
  const spec = tools.host.find(({ name }) => name === call.name);
  if (spec) return hostCall(context, call, { spec, input: call.arguments, settings: tools.settings });
  const names = [...tools.host.map(({ name }) => name), ...tools.local.map(({ offer }) => offer.name)].join(', ') || 'none';
  return refused(`there is no tool "${call.name}" here. Tools: ${names}.`);
}

const finished = (call: ToolCall, more: Pick<LoopCall, 'status' | 'text' | 'output'> & Partial<LoopCall>): LoopCall => ({
  id: call.id,
  name: call.name,
  arguments: call.arguments,
  exit_code: null,
  paths: [],
  ...more,
});

async function hostCall(
  context: CallContext,
  call: ToolCall,
  { spec, input, settings }: { spec: ToolSpec; input: JsonObject; settings: LoopSettings },
): Promise<LoopCall> {
  const tier = contextTier(windowOf(settings), { ...tierConfigSchema.parse({}), ...settings.toolLimits });
  const outcome = await context.tool(call.name, cappedInput(call.name, input, tier));
  if (outcome.status !== 'ok') return finished(call, { status: outcome.status, text: errorText(outcome.message), output: outcome.message });
  const { text, exit_code, savedTo } = toolText(call.name, outcome.output, tier);
  const output = { tool: call.name, text, status: 'ok', exit_code } as const;
  const shown = await shownOutput(context, output, { settings, savedTo });
  return finished(call, {
    status: 'ok',
    text: shown,
    output: outcome.output,
    exit_code,
    paths: spec.effect === 'write' ? writtenPaths(outcome.output) : [],
  });
}

/** Tools that list what changed are believed before those that only name their file. */
function writtenPaths(output: Json): string[] {
  const listed = isJsonObject(output) && Array.isArray(output.paths) ? output.paths.filter((path) => typeof path === 'string') : null;
  return listed ?? pathsOf(output);
}

/** Providers hand arguments over as an object, as its JSON text, or as nothing for a tool without input; what is none of these stays. */
function plainArguments({ arguments: given }: ToolCall): Json {
  if (given === null || given === '') return {};
  return typeof given === 'string' ? (readJson(given) ?? given) : given;
}

/** Calls with plain arguments and with ids that are neither empty nor used before; scripted and careless models repeat them. */
export function usableCalls(calls: readonly ToolCall[], messages: readonly ChatMessage[]): ToolCall[] {
  const used = new Set(messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [])));
  return calls.map((call) => {
    let id = call.id;
    for (let number = 2; id === '' || used.has(id); number += 1) id = `${call.id || 'call'}-${number}`;
    used.add(id);
    return { id, name: call.name, arguments: plainArguments(call) };
  });
}
