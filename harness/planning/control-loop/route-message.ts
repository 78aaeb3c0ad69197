import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';

/** What a client may send while a run is under way (planning.md §11, §17). */
export const clientMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user_message'), content: z.string() }),
  z.object({ type: z.literal('approve') }),
  z.object({ type: z.literal('approve_tool') }),
  z.object({ type: z.literal('deny_tool') }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('disconnect') }),
]);
export type ClientMessage = z.output<typeof clientMessageSchema>;

export const routingConfigSchema = z.object({
  beforeExecution: z.enum(['approval', 'interrupt']).default('approval').meta({ title: 'Messages before execution go to' }),
  duringExecution: z.enum(['approval', 'interrupt']).default('interrupt').meta({ title: 'Messages during execution go to' }),
  queueSize: z.int().min(1).default(1000).meta({ title: 'Most messages waiting in one place' }),
});
export type RoutingConfig = z.output<typeof routingConfigSchema>;
export const defaultRoutingConfig: RoutingConfig = routingConfigSchema.parse({});

/** `cancel` sets the flag and frees whatever waits; `answer_pong` is answered at once; `refuse` tells the sender, so nothing is lost unseen. */
export type Destination = 'approval' | 'interrupt' | 'cancel' | 'answer_pong' | 'refuse';

/** The one place a message goes to: before execution words of a person are feedback, during it they are an interrupt (planning.md §11). */
export function routeMessage(
  message: ClientMessage,
  facts: { executing: boolean; waiting: { approval: number; interrupt: number } },
  config: RoutingConfig = defaultRoutingConfig,
): { destination: Destination; decision: Decision } {
  const wanted = ((): Destination => {
    switch (message.type) {
      case 'user_message':
        return facts.executing ? config.duringExecution : config.beforeExecution;
      case 'approve':
      case 'approve_tool':
      case 'deny_tool':
        return 'approval';
      case 'cancel':
      case 'disconnect':
        return 'cancel';
      case 'ping':
        return 'answer_pong';
    }
  })();
  const waiting = wanted === 'approval' || wanted === 'interrupt' ? facts.waiting[wanted] : null;
  const destination = waiting !== null && waiting >= config.queueSize ? 'refuse' : wanted;
  return {
    destination,
    decision: decided({
      rule: 'steering: message routed',
      outcome: destination,
      because: [
        fact('message', message.type),
        fact('executing', facts.executing),
        ...(waiting === null ? [] : [compared('messages waiting', waiting, '<', config.queueSize)]),
      ],
    }),
  };
}
