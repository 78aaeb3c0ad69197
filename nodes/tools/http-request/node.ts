import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { defineNode } from '@/harness/contract/node';
import { firstLine, requiredText } from '../../support/config';

export const httpRequest = defineNode({
  id: 'http-request',
  version: 1,
  category: 'tools',
  layer: 'execution',
  authority: 'deterministic',
  role: 'step',
  title: 'HTTP request',
  icon: 'globe',
  summary: 'Calls a web address through the guarded client.',
  keywords: ['fetch', 'api', 'rest', 'webhook', 'url', 'get', 'post'],
  config: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).default('GET').meta({ title: 'Method' }),
    url: requiredText('Write the address', 8000).meta({ title: 'URL', description: 'An http or https address; may hold {{expressions}}.' }),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'A header name has letters, digits and hyphens'), z.string().max(20_000))
      .default({})
      .meta({ title: 'Headers', description: 'May hold {{expressions}} and {{secrets.NAME}}.' }),
    bodyType: z
      .enum(['none', 'json', 'text'])
      .default('none')
      .meta({ title: 'Body', description: 'JSON sets the content type unless a header does.' }),
    body: z.string().max(1_000_000).default('').meta({ title: 'Body text', description: 'May hold {{expressions}}.' }),
    bodyJson: z.record(z.string(), jsonSchema).default({}).meta({
      title: 'Body as JSON',
      description: 'JSON with {{expressions}} in its texts; a text that is one {{expression}} keeps its JSON type.',
    }),
    timeoutMs: z.int().min(1).max(600_000).default(30_000).meta({ title: 'Time limit (ms)' }),
    maxBytes: z
      .int()
      .min(1)
      .max(50_000_000)
      .default(1_000_000)
      .meta({ title: 'Longest answer (bytes)', description: 'What is over is cut off.' }),
    failOn: z.enum(['400-and-above', '500-and-above', 'never']).default('400-and-above').meta({
      title: 'Which status fails',
      description: 'A failing status leaves by the error port; otherwise the status is in the output.',
    }),
    parse: z.enum(['auto', 'json', 'text']).default('auto').meta({
      title: 'Read the answer as',
      description: 'Auto reads JSON when the server says so; JSON fails when it is not.',
    }),
  }),
  ports: ['next'],
  outputs: z.object({
    status: z.int().meta({ title: 'Status' }),
    headers: z.record(z.string(), z.string()).meta({ title: 'Headers', description: 'Names in lower case.' }),
    body: jsonSchema.meta({ title: 'Body', description: 'JSON or text.' }),
    truncated: z.boolean().meta({ title: 'Cut off', description: 'True when the answer was longer than allowed.' }),
    url: z.string().meta({ title: 'URL', description: 'Where the answer came from after redirects.' }),
  }),
  fields: {
    url: { widget: 'template', placeholder: 'https://example.com/api/{{input.id}}' },
    headers: { items: { widget: 'template' }, section: 'Headers' },
    bodyType: { section: 'Body' },
    body: { widget: 'template', rows: 6, section: 'Body', when: { field: 'bodyType', is: 'text' } },
    bodyJson: { widget: 'json', rows: 6, section: 'Body', when: { field: 'bodyType', is: 'json' }, items: { widget: 'template' } },
    timeoutMs: { widget: 'duration', section: 'Answer' },
    maxBytes: { section: 'Answer' },
    failOn: { section: 'Answer' },
    parse: { section: 'Answer' },
  },
  preview: (config) => `${config.method ?? 'GET'} ${firstLine(config.url, 50)}`,
});
