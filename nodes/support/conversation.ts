import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ChatMessage } from '@/harness/contract/model';
import { transcriptMessageSchema } from '../channels';

interface Prompts {
  system: string;
  prompt: string;
  transcript: boolean;
  transcriptMessages: number;
}

/** The messages a model call begins with: system prompt, the newest messages of the chat where they are asked for, prompt. */
export function conversation(context: Pick<ExecuteContext, 'text' | 'state'>, prompts: Prompts): ChatMessage[] {
  const system = context.text(prompts.system).trim();
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...(prompts.transcript ? earlier(context.state.transcript, prompts.transcriptMessages) : []),
    { role: 'user', content: context.text(prompts.prompt) },
  ];
}

function earlier(transcript: unknown, count: number): ChatMessage[] {
  const messages = z.array(transcriptMessageSchema).safeParse(transcript);
  return messages.success ? messages.data.slice(-count) : [];
}
