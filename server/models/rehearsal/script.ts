import type { ModelCaller, ModelRequest } from '@/harness/contract/model';
import type { ModelScript, ScriptedReply } from '@/harness/testing/model-script';

export interface ScriptCursor {
  /** The first unspent reply that matches, now spent once; `null` when none does. */
  take(request: ModelRequest, caller: ModelCaller): ScriptedReply | null;
  /** Replies that were to be used at least once and were not. */
  unused(): ScriptedReply[];
}

/** All text of a request, tool results included, in lower case. */
function searchable(request: ModelRequest): string {
  return request.messages
    .map((message) => message.content)
    .join('\n')
    .toLowerCase();
}

/** Plays a script for one run. It only goes forward: a spent reply never answers again. */
export function createScriptCursor(script: ModelScript): ScriptCursor {
  const uses = script.replies.map(() => 0);
  return {
    take(request, caller) {
      let text: string | null = null;
      for (const [index, reply] of script.replies.entries()) {
        const spent = uses[index] ?? 0;
        if (reply.times !== 0 && spent >= reply.times) continue;
        if (reply.node !== undefined && reply.node !== caller.nodeId) continue;
        if (reply.role !== undefined && reply.role !== request.role) continue;
        const wanted = reply.when?.contains?.toLowerCase();
        if (wanted !== undefined) {
          text ??= searchable(request);
          if (!text.includes(wanted)) continue;
        }
        uses[index] = spent + 1;
        return reply;
      }
      return null;
    },
    unused: () => script.replies.filter((reply, index) => (uses[index] ?? 0) === 0 && reply.times !== 0),
  };
}
