import type { ExecuteContext } from '@/harness/contract/execute';
import type { CallScope } from '@/harness/contract/tool';
import type { LoopContext } from './tool-loop';

/** What a tool loop needs of a context, with every call of a tool carrying what its node says of the work. */
export const scopedContext = (context: ExecuteContext, scope: CallScope): LoopContext => ({
  node: context.node,
  signal: context.signal,
  attachments: context.attachments,
  model: (request) => context.model(request),
  tools: () => context.tools(),
  tool: (name, input) => context.tool(name, input, scope),
  decide: (decision) => context.decide(decision),
  log: (level, message) => context.log(level, message),
  inbox: () => context.inbox(),
});
