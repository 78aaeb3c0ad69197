import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { chatContractConfigSchema } from '@/harness/planning/chat-contract/config';
import { contractEventSchema } from '@/harness/planning/chat-contract/contract';
import { suggestedPromptSchema } from '@/harness/planning/chat-contract/suggested-prompt';
import { loopPresets } from '@/harness/planning/control-loop/config';
import { transcriptMessages } from '../../support/config';
import { loopFields, loopHints, roleField, toolNames } from '../support/config';
import { internetTools, readingTools, referenceTools } from '../support/planning-tools';

export const groundedChat = defineNode({
  id: 'grounded-chat',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Grounded chat',
  icon: 'messages-square',
  summary: 'Answers questions about the workspace after looking, and writes prompts for the coding agent in two rounds.',
  keywords: ['chat', 'grounding', 'questions', 'suggested prompt', 'explore first', 'contract'],
  config: z.object({
    role: roleField('request'),
    maxTurns: z
      .int()
      .min(1)
      .max(1000)
      .default(loopPresets.chat.maxTurns)
      .meta({ title: 'Most turns', description: 'For one message, corrections included.' }),
    tools: toolNames([...readingTools, ...internetTools, ...referenceTools]),
    ...chatContractConfigSchema.shape,
    notes: z.boolean().default(true).meta({
      title: 'May take notes',
      description: 'Offers save_note. A note is shown to a model again once a person confirmed it or it was taken often enough.',
    }),
    transcript: z.boolean().default(true).meta({
      title: 'Include the conversation',
      description: 'The two rounds of a prompt need it.',
    }),
    transcriptMessages,
    ...loopFields,
  }),
  ports: ['next'],
  outputs: z.object({
    text: z.string().meta({ title: 'Reply' }),
    prompt: suggestedPromptSchema
      .nullable()
      .meta({ title: 'Suggested prompt', description: 'To be planned; empty unless this reply delivers one.' }),
    questions: z.array(z.string()).meta({ title: 'Questions' }),
    round: z.enum(['none', 'questions', 'prompt']).meta({ title: 'Round' }),
    violations: z.array(contractEventSchema).meta({ title: 'Violations', description: 'Of the contracts, after a correction.' }),
    turns: z.int().meta({ title: 'Turns' }),
  }),
  reads: ['transcript', 'planTask', 'workspaceMemories'],
  writes: ['workspaceMemories'],
  model: (config) => config.role,
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    maxTurns: { section: 'Turns' },
    tools: { widget: 'tools', section: 'Tools' },
    notes: { section: 'Tools' },
    alwaysExplore: { section: 'Contracts' },
    minGroundingCalls: { section: 'Contracts', when: { field: 'alwaysExplore', is: true } },
    minQuestions: { section: 'Contracts' },
    maxQuestions: { section: 'Contracts' },
    corrections: { section: 'Contracts' },
    groundingTools: { section: 'Contracts' },
    promptTitle: { section: 'Contracts' },
    referencesTitle: { section: 'Contracts' },
    transcript: { section: 'Conversation' },
    transcriptMessages: { section: 'Conversation', when: { field: 'transcript', is: true } },
    ...loopHints,
  },
  preview: (config) => (config.alwaysExplore === false ? 'may answer without looking' : 'looks before it answers'),
});
