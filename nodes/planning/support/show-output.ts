import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import { compared, fact } from '@/harness/layers/shared/explain';
import { charactersOf } from '@/harness/planning/context/tokens';
import { planToolOutput, type ToolOutput, toolOutputConfigSchema, toolReply } from '@/harness/planning/context/tool-output';
import { type LoopSettings, windowOf } from './config';

const system = [
  'You shorten the output of a tool for a colleague who works with it. Keep verbatim: paths with line numbers, names, signatures, error messages,',
  'failing test names and numbers. Drop repetition and noise. Add nothing and conclude nothing. Output the shortened text only.',
].join('\n');

type WorkerContext = Pick<ExecuteContext, 'model' | 'decide'>;

/** What the model is shown of an output: whole, compressed by the worker model, or cut (planning.md §13). The verdict line comes from the exit code. */
export async function shownOutput(
  context: WorkerContext,
  output: ToolOutput,
  { settings, savedTo }: { settings: LoopSettings; savedTo: string | null },
): Promise<string> {
  // Long command output is already in a file: the tools of the workspace put it there themselves.
  const config = { ...toolOutputConfigSchema.parse({}), ...settings.compression, inlineTools: [] };
  const plan = planToolOutput(output, { window: windowOf(settings), at: 0 }, config);
  if (plan.compress === null) return toolReply(plan, null, config);
  const compressed = settings.compressOutput ? await compress(context, output.tool, plan.compress) : null;
  const shown = toolReply(plan, compressed, config);
  const limit = charactersOf(windowOf(settings) * config.compressOver);
  context.decide({
    rule: 'tool output: compression',
    outcome: compressed !== null && compressed.trim().length > config.acceptedOver ? 'compressed by the worker model' : 'cut',
    because: [
      fact('tool', output.tool),
      compared('characters', output.text.length, '>', limit),
      ...(compressed === null ? [] : [compared('characters of the compressed output', compressed.trim().length, '>', config.acceptedOver)]),
    ],
    alternatives: [{ outcome: 'show it whole', needs: `at most ${limit} characters` }],
  });
  return savedTo === null ? shown : `${shown}\nFull output: ${savedTo}.`;
}

/** The worker's answer; `null` when it failed, then the output is cut. A script without a reply for it is a fault of the script. */
async function compress(
  context: WorkerContext,
  tool: string,
  { input, maxOutputTokens }: { input: string; maxOutputTokens: number },
): Promise<string | null> {
  try {
    const reply = await context.model({
      role: 'worker',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: `Output of ${tool}:\n\n${input}` },
      ],
      maxOutputTokens,
    });
    return reply.text;
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    return null;
  }
}
