import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ChatMessage, ModelReply } from '@/harness/contract/model';
import type { ConfigOf } from '@/harness/contract/node';
import type { ToolSpec } from '@/harness/contract/tool';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import type { ToolResult } from '../channels';
import { asText, clip, isoNow } from '../support/helpers';
import type { Work } from '../support/work';
import type { recovery } from './node';

type Context = ExecuteContext<ConfigOf<typeof recovery>>;

/**
 * Looks before the task is tried again: a model chooses what to read, with tools that only read, for at most so many calls (INV-23 to 25).
 * What it finds waits as tool results and becomes evidence like everything else.
 */
export async function investigate(context: Context, work: Work, about: { calls: number; why: string }): Promise<ToolResult[]> {
  const tools = context.tools().filter(({ effect }) => effect === 'read');
  const found: ToolResult[] = [];
  const messages: ChatMessage[] = [
    {
      role: 'system',
      content: `A task has failed and the run has stalled. Find out why with the tools, in at most ${about.calls} calls. They only read. When you know enough, say what you found in two sentences.`,
    },
    { role: 'user', content: `Task:\n${work.description}\n\nWhat to find out:\n${about.why}` },
  ];
  for (let turn = 0; tools.length > 0 && turn < about.calls && found.length < about.calls; turn++) {
    const reply = await turnOf(context, messages, tools);
    if (reply === null || reply.toolCalls.length === 0) break;
    messages.push({ role: 'assistant', content: reply.text, toolCalls: reply.toolCalls });
    for (const call of reply.toolCalls) {
      const allowed = tools.some(({ name }) => name === call.name) && found.length < about.calls;
      const outcome = allowed ? await context.tool(call.name, call.arguments) : null;
      const output: Json =
        outcome === null
          ? 'Not carried out: no such reading tool, or no calls are left.'
          : outcome.status === 'ok'
            ? outcome.output
            : outcome.message;
      messages.push({
        role: 'tool',
        toolCallId: call.id,
        toolName: call.name,
        content: clip(asText(output), 4000),
        ...(outcome?.status === 'ok' ? {} : { isError: true }),
      });
      if (outcome === null) continue;
      found.push({
        id: `investigation-${work.id}-${context.visit.number}-${found.length + 1}`,
        task_id: work.id,
        tool: call.name,
        input: call.arguments,
        status: outcome.status,
        output,
        effect: 'read',
        paths: [],
        at: await isoNow(context),
      });
    }
  }
  context.decide(
    decided({
      rule: 'supervisor: investigation',
      outcome: tools.length === 0 ? 'no reading tool is granted' : `${found.length} calls`,
      because: [compared('calls', found.length, '<=', about.calls), fact('tools', [...new Set(found.map(({ tool }) => tool))])],
    }),
  );
  return found;
}

/** A model that fails ends the investigation; what was found so far stands. */
async function turnOf(context: Context, messages: readonly ChatMessage[], tools: readonly ToolSpec[]): Promise<ModelReply | null> {
  try {
    return await context.model({
      role: context.config.role,
      messages: [...messages],
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    });
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    context.decide(
      decided({
        rule: 'model check failed',
        outcome: 'the investigation ends',
        because: [fact('error', `${thrown.code}: ${thrown.message}`)],
      }),
    );
    return null;
  }
}
