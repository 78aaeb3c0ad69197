import type { ExecuteContext } from '@/harness/contract/execute';
import type { ToolCall } from '@/harness/contract/model';
import type { LoopEvent } from '@/harness/planning/control-loop/events';
import { routeMessage } from '@/harness/planning/control-loop/route-message';
import { steer } from '@/harness/planning/control-loop/steering';

/** Messages of people that come while a loop runs. Before execution they are not looked at here: they are feedback, and the approval reads them. */
export class Steering {
  readonly events: LoopEvent[] = [];

  constructor(
    private readonly context: Pick<ExecuteContext, 'inbox' | 'decide' | 'signal'>,
    private readonly executing: boolean,
  ) {}

  /** The words that interrupt, or `null`. `remaining` are the calls that would still be carried out. */
  async look(turnIndex: number, remaining: readonly ToolCall[]): Promise<{ text: string } | null> {
    this.context.signal.throwIfAborted();
    if (!this.executing) return null;
    const messages = await this.context.inbox();
    for (const [at, { text }] of messages.entries()) {
      const facts = { executing: true, waiting: { approval: 0, interrupt: at } };
      this.context.decide(routeMessage({ type: 'user_message', content: text }, facts).decision);
    }
    const found = steer({ cancelled: false, messages: messages.map(({ text }) => text) }, turnIndex, remaining);
    if (found.action !== 'interrupt') return null;
    this.events.push(...found.events);
    this.context.decide(found.decision);
    return { text: found.text };
  }
}
