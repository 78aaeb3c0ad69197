import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import {
  corrections,
  firstLine,
  includeTranscript,
  jsonSchemaDocument,
  maxOutputTokens,
  modelRole,
  requiredText,
  temperature,
  transcriptMessages,
  zodOfJsonSchema,
} from '../../support/config';

export const llmCall = defineNode({
  id: 'llm-call',
  version: 1,
  category: 'agent',
  layer: 'execution',
  authority: 'llm',
  role: 'step',
  title: 'Model call',
  icon: 'sparkles',
  summary: 'Asks a model once and puts out its text, or an object of your schema.',
  keywords: ['llm', 'prompt', 'completion', 'generate', 'chat', 'ai', 'structured'],
  config: z.object({
    role: modelRole,
    system: z
      .string()
      .max(200_000)
      .default('')
      .meta({ title: 'System prompt', description: 'Who the model is and the rules it keeps. May hold {{expressions}}.' }),
    prompt: requiredText('Write the prompt', 200_000)
      .default('{{input.message}}')
      .meta({ title: 'Prompt', description: 'What is asked. May hold {{expressions}}.' }),
    schema: jsonSchemaDocument.nullable().default(null).meta({
      title: 'Schema of the reply',
      description: 'A JSON Schema. With it the reply is an object of that shape; empty asks for text.',
    }),
    corrections,
    temperature,
    maxOutputTokens,
    transcript: includeTranscript,
    transcriptMessages,
  }),
  ports: ['next'],
  outputs: (config) => {
    const common = {
      text: z.string().meta({ title: 'Text', description: 'The reply as text.' }),
      finish: z.string().meta({ title: 'Finish', description: 'Why the model stopped.' }),
      model: z.string().meta({ title: 'Model', description: 'Which model answered.' }),
    };
    return config.schema ? z.object({ ...common, object: zodOfJsonSchema(config.schema) }) : z.object(common);
  },
  reads: ['transcript'],
  model: (config) => config.role,
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    system: { widget: 'prompt', rows: 5, section: 'Prompt' },
    prompt: { widget: 'prompt', rows: 6, section: 'Prompt' },
    schema: { widget: 'json-schema', rows: 8, section: 'Reply' },
    corrections: { section: 'Reply' },
    temperature: { step: 0.1, section: 'Model' },
    maxOutputTokens: { section: 'Model' },
    transcript: { section: 'Conversation' },
    transcriptMessages: { section: 'Conversation', when: { field: 'transcript', is: true } },
  },
  preview: (config) => firstLine(config.prompt),
});
