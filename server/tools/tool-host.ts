import { z } from 'zod';
import { BridleError, isBridleError, operationalError, unexpectedError, userError } from '@/harness/contract/errors';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ToolContext, ToolHost, ToolSpec } from '@/harness/contract/tool';
import { callTargets } from '../workspace/call-targets';
import { withKeptFiles } from '../workspace/kept-files';
import type { AnyTool } from './define-tool';

// What zod prints is a JSON Schema, which is JSON.
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => z.toJSONSchema(schema, { io }) as JsonSchema;

const specOf = (tool: AnyTool): ToolSpec => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  effect: tool.effect,
  ceiling: tool.ceiling,
  untrusted: tool.untrusted ?? false,
  inputSchema: schemaOf(tool.input, 'input'),
  outputSchema: schemaOf(tool.output, 'output'),
});

/**
 * The tools of this host. Nothing reaches a tool that its input schema does not accept, and nothing leaves it that its output schema does not
 * accept. Throws `TOOL_UNKNOWN`, `TOOL_INPUT`, `TOOL_FAILED`, `CANCELLED`, and the tools' own `TOOL_*` errors.
 */
export function createToolHost(tools: readonly AnyTool[]): ToolHost {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw unexpectedError('TOOL_DUPLICATE', `Two tools are named "${tool.name}".`);
    byName.set(tool.name, tool);
  }
  const specs = [...byName.values()].map(specOf);

  return {
    list: () => specs,
    async targets(name, input, { workspace }) {
      if (workspace === null || !byName.has(name)) return null;
      // It only informs whoever judges the call; the tool itself looks again.
      return callTargets(workspace, input).catch(() => null);
    },
    async call(name, input, context) {
      const tool = byName.get(name);
      if (tool === undefined) {
        const known = [...byName.keys()].join(', ');
        throw userError('TOOL_UNKNOWN', `There is no tool "${name}". There are: ${known}.`);
      }
      if (context.signal.aborted) throw cancelledTool(name);
      const parsed = tool.input.safeParse(input);
      if (!parsed.success) throw userError('TOOL_INPUT', `The input of ${name} does not fit: ${problems(parsed.error)}`);
      const { keep, onKept, workspace, signal } = context;
      const output =
        keep === undefined || keep.length === 0 || workspace === null || tool.effect === 'read'
          ? await run(tool, parsed.data, context)
          : await withKeptFiles({ workspace, keep, signal, onKept: (...kept) => onKept?.(...kept) }, () => run(tool, parsed.data, context));
      const checked = tool.output.safeParse(output);
      if (!checked.success) throw unexpectedError('TOOL_OUTPUT', `${name} put out what it must not: ${problems(checked.error)}`);
      // Output schemas describe JSON; `toJSONSchema` above has refused those that do not.
      return checked.data as Json;
    },
  };
}

const cancelledTool = (name: string): BridleError => operationalError('CANCELLED', `The call of ${name} was cancelled.`);

async function run(tool: AnyTool, input: unknown, context: ToolContext): Promise<unknown> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    if (context.signal.aborted) throw cancelledTool(tool.name);
    if (isBridleError(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new BridleError({ code: 'TOOL_FAILED', kind: 'operational', message: `${tool.name} failed: ${message}` }, { cause: error });
  }
}

const problems = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ');
