import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import {
  corrections,
  hasUniqueIds,
  includeTranscript,
  maxOutputTokens,
  modelRole,
  portId,
  requiredText,
  temperature,
  transcriptMessages,
} from '../../support/config';

export const router = defineNode({
  id: 'router',
  version: 1,
  category: 'agent',
  layer: 'flow',
  authority: 'llm',
  role: 'step',
  title: 'Router',
  icon: 'signpost',
  summary: 'A model picks one of the routes and says why.',
  keywords: ['classify', 'intent', 'triage', 'route', 'choose', 'switch'],
  config: z.object({
    role: modelRole,
    question: requiredText('Write what is to be routed')
      .default('{{input.message}}')
      .meta({ title: 'What to route', description: 'Text with {{expressions}} that the model classifies.' }),
    instructions: z
      .string()
      .max(20_000)
      .default('')
      .meta({ title: 'Instructions', description: 'What the model should know about the choice beyond the routes’ descriptions.' }),
    routes: z
      .array(
        z.object({
          id: portId,
          title: z.string().max(100).default('').meta({ title: 'Title' }),
          description: z
            .string()
            .max(2000)
            .default('')
            .meta({ title: 'When to take it', description: 'Tells the model what belongs here.' }),
        }),
        { error: 'Add at least two routes' },
      )
      .min(2, 'Add at least two routes')
      .max(50)
      .refine(hasUniqueIds, 'Two routes have the same id')
      .refine(
        (routes) => routes.every((route) => route.id !== 'unsure'),
        'The port "unsure" is taken: it is for replies that name no route',
      )
      .meta({ title: 'Routes' }),
    whenUnsure: z.enum(['port', 'fallback', 'fail']).default('port').meta({
      title: 'When the model does not decide',
      description: 'Leave by the port "unsure", take the fallback route, or fail.',
    }),
    fallback: z
      .string()
      .max(100)
      .default('')
      .meta({ title: 'Fallback route', description: 'Id of the route taken when the model does not decide.' }),
    minConfidence: z.number().min(0).max(1).default(0).meta({
      title: 'Lowest confidence',
      description: 'Above 0, the model also states its confidence, and a lower one counts as not deciding.',
    }),
    corrections,
    temperature,
    maxOutputTokens: maxOutputTokens.default(300).meta({
      title: 'Longest reply (tokens)',
      description: 'Bounds the choice and its reason. Empty leaves it to the flow’s model settings.',
    }),
    transcript: includeTranscript,
    transcriptMessages,
  }),
  ports: (config) => [
    ...(config.routes ?? []).map((route) => ({ id: route.id, title: route.title || route.id })),
    ...(config.whenUnsure === 'fallback' || config.whenUnsure === 'fail' ? [] : [{ id: 'unsure', title: 'Unsure' }]),
  ],
  outputs: z.object({
    route: z.string().meta({ title: 'Route', description: 'Id of the port taken.' }),
    reason: z.string().meta({ title: 'Reason', description: 'The model’s reason, or why it did not decide.' }),
    confidence: z.number().nullable().meta({ title: 'Confidence', description: 'Between 0 and 1; null when it was not asked for.' }),
  }),
  reads: ['transcript'],
  model: (config) => config.role,
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    question: { widget: 'prompt', rows: 3 },
    instructions: { widget: 'prompt', rows: 4 },
    routes: { items: { description: { rows: 2 } } },
    whenUnsure: { section: 'When unsure' },
    fallback: { section: 'When unsure', when: { field: 'whenUnsure', is: 'fallback' } },
    minConfidence: { widget: 'slider', step: 0.05, section: 'When unsure' },
    corrections: { section: 'Model' },
    temperature: { section: 'Model', step: 0.1 },
    maxOutputTokens: { section: 'Model' },
    transcript: { section: 'Conversation' },
    transcriptMessages: { section: 'Conversation', when: { field: 'transcript', is: true } },
  },
  preview: (config) => (config.routes ?? []).map((route) => route.id).join(' · '),
});
