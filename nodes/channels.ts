import { z } from 'zod';
import { type ChannelSpec, defineChannel } from '@/harness/state/channel';
import { controlChannels } from './control/channels';
import { planningChannels } from './planning/channels';

export const transcriptMessageSchema = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });

/** The conversation of a chat session; the host writes it around each run, nodes only read it. */
export const transcript = defineChannel({
  id: 'transcript',
  title: 'Transcript',
  summary: 'The messages of the chat session so far, oldest first, without the message being answered.',
  schema: z.array(transcriptMessageSchema),
  reducer: 'append',
  scope: 'session',
  initial: [],
  writers: 'many',
});

const all: readonly ChannelSpec[] = [transcript, ...controlChannels, ...planningChannels];

export const channels: ReadonlyMap<string, ChannelSpec> = new Map(all.map((channel) => [channel.id, channel]));
