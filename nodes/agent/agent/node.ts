import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import {
  corrections,
  includeTranscript,
  jsonSchemaDocument,
  maxOutputTokens,
  modelRole,
  plural,
  requiredText,
  temperature,
  transcriptMessages,
  zodOfJsonSchema,
} from '../../support/config';

export const agent = defineNode({
  id: 'agent',
  version: 1,
  category: 'agent',
  layer: 'execution',
  authority: 'llm',
  role: 'step',
  title: 'Agent',
  icon: 'bot',
  summary: 'A model works with tools, turn by turn, until it answers or its turns are used up.',
  keywords: ['loop', 'tools', 'react', 'autonomous', 'assistant', 'function calling'],
  config: z.object({
    role: modelRole,
    system: z
      .string()
      .max(200_000)
      .default('')
      .meta({ title: 'System prompt', description: 'Who the agent is, what it may do, how it answers. May hold {{expressions}}.' }),
    prompt: requiredText('Write the task', 200_000)
      .default('{{input.message}}')
      .meta({ title: 'Task', description: 'What the agent is asked to do. May hold {{expressions}}.' }),
    tools: z.array(z.string().min(1).max(200)).max(200).nullable().default(null).meta({
      title: 'Tools',
      description: 'Names of the tools it may use. Empty means every tool the flow grants; an empty list means none.',
    }),
    maxTurns: z.int().min(1).max(1000).default(12).meta({ title: 'Most turns', description: 'Model calls with tools in one visit.' }),
    onTurnLimit: z.enum(['finish', 'answer', 'fail']).default('finish').meta({
      title: 'When the turns are used up',
      description: 'Go on with finish "turn-limit" and the last text, ask once more for an answer without tools, or fail.',
    }),
    parallelTools: z.boolean().default(true).meta({
      title: 'Several tools in one turn',
      description: 'Off: only the first call of a turn runs, the others are answered with a request to call one at a time.',
    }),
    textOnly: z.enum(['accept', 'nudge', 'fail']).default('accept').meta({
      title: 'An answer without any tool call',
      description: 'Accept it, remind the model once that tools are there, or fail.',
    }),
    repeatLimit: z.int().min(0).max(100).default(3).meta({
      title: 'Same call again',
      description: 'The nth identical call is not made; the model is told so and asked to try something else. 0 switches this off.',
    }),
    maxToolResultChars: z.int().min(200).max(1_000_000).default(30_000).meta({
      title: 'Longest tool result (characters)',
      description: 'What is over is cut from what the model sees; the trace keeps it whole.',
    }),
    schema: jsonSchemaDocument.nullable().default(null).meta({
      title: 'Schema of the final answer',
      description: 'A JSON Schema. With it the answer is also put out as an object of that shape.',
    }),
    corrections,
    citations: z.boolean().default(true).meta({
      title: 'Collect citations',
      description: 'Lists every file:line in the answer and whether a tool result really showed that line.',
    }),
    temperature,
    maxOutputTokens,
    transcript: includeTranscript,
    transcriptMessages,
  }),
  ports: ['next'],
  outputs: (config) => {
    const base = z.object({
      text: z.string().meta({ title: 'Text', description: 'The final answer.' }),
      finish: z.enum(['stop', 'turn-limit', 'length', 'content-filter', 'other']).meta({ title: 'Finish', description: 'Why it ended.' }),
      turns: z.int().meta({ title: 'Turns', description: 'Model calls made.' }),
      toolCalls: z.array(z.object({ tool: z.string(), input: jsonSchema, status: z.string(), output: jsonSchema })).meta({
        title: 'Tool calls',
        description: 'Each call with its status: ok, denied, failed, unknown, invalid, repeated or skipped.',
      }),
    });
    const cited = config.citations
      ? base.extend({
          citations: z
            .array(z.object({ file: z.string(), line: z.int(), endLine: z.int(), seen: z.boolean(), quote: z.string() }))
            .meta({ title: 'Citations', description: 'seen is true when a tool result showed that line of that file.' }),
        })
      : base;
    return config.schema ? cited.extend({ object: zodOfJsonSchema(config.schema) }) : cited;
  },
  reads: ['transcript'],
  model: (config) => config.role,
  tools: (config) => config.tools ?? [],
  fields: {
    role: { widget: 'model-role', section: 'Model' },
    system: { widget: 'prompt', rows: 6, section: 'Prompt' },
    prompt: { widget: 'prompt', rows: 4, section: 'Prompt' },
    tools: { widget: 'tools', section: 'Tools' },
    maxTurns: { section: 'Limits' },
    onTurnLimit: { section: 'Limits' },
    parallelTools: { section: 'Tools' },
    textOnly: { section: 'Tools' },
    repeatLimit: { section: 'Limits' },
    maxToolResultChars: { section: 'Limits' },
    schema: { widget: 'json-schema', rows: 8, section: 'Answer' },
    corrections: { section: 'Answer' },
    citations: { section: 'Answer' },
    temperature: { step: 0.1, section: 'Model' },
    maxOutputTokens: { section: 'Model' },
    transcript: { section: 'Conversation' },
    transcriptMessages: { section: 'Conversation', when: { field: 'transcript', is: true } },
  },
  preview: (config) => {
    const tools = config.tools === null || config.tools === undefined ? 'all tools' : plural(config.tools.length, 'tool');
    return typeof config.maxTurns === 'number' ? `${tools} · ${plural(config.maxTurns, 'turn')} at most` : tools;
  },
});
