import type { z } from 'zod';
import type { Json } from '@/harness/contract/json';
import type { TurnPolicy } from '@/harness/layers/adaptive-control/state';
import type { RunState } from '@/harness/layers/initialise/initialise';
import type { ExperienceStore } from '@/harness/layers/recovery/state';
import type { ReviewerVerdict } from '@/harness/layers/reviewer/state';
import type { Verification } from '@/harness/layers/verification/state';
import { controlChannels, type Goal, type Progress, type Proposal, type TaskResult, type ToolResult, type WorkMessage } from '../channels';

/** The channels of the loop by name, as the layers see them. */
export interface ControlChannels extends RunState {
  turnPolicy: TurnPolicy | null;
  goal: Goal;
  experienceStore: ExperienceStore;
  currentTask: string | null;
  proposal: Proposal | null;
  toolResults: ToolResult[];
  taskResults: Record<string, TaskResult>;
  conversation: Record<string, WorkMessage[]>;
  verification: Verification | null;
  verdict: ReviewerVerdict | null;
  progress: Progress;
}
export type ControlChannelId = keyof ControlChannels;

const initials: Record<string, Json> = Object.fromEntries(controlChannels.map(({ id, initial }) => [id, initial]));

/** Channel values of a visit, or of one branch, typed. A channel that nothing has written has its initial value. */
export function stateOf(context: { readonly state: Readonly<Record<string, Json>> }): ControlChannels {
  // the engine checks every write against the channel's schema, and the schemas are what ControlChannels names
  return { ...initials, ...context.state } as unknown as ControlChannels;
}

/** Channel values for a test or a fresh run: what is given goes through the channel's schema, which fills its defaults. */
export function channelValues(given: { [K in ControlChannelId]?: unknown }): Record<string, Json> {
  const schemas = new Map<string, z.ZodType>(controlChannels.map(({ id, schema }) => [id, schema]));
  return Object.fromEntries(
    // a channel's schema describes plain JSON
    Object.entries(given).map(([id, value]) => [id, (schemas.get(id)?.parse(value) ?? null) as Json]),
  );
}
