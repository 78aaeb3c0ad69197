import { z } from 'zod';
import { askAnswerSchema } from '@/harness/contract/ask';
import { userError } from '@/harness/contract/errors';
import { jsonSchema } from '@/harness/contract/json';
import type { RunSummary } from '../api-types';
import type { HostServices } from './services';

/** Only what is stored runs through this door: a body that brings a flow of its own is refused whole (BR-78). */
const startSchema = z.looseObject({
  input: jsonSchema.default({}),
  workspace: z.string().min(1).max(4096).optional(),
});
const startKeys: ReadonlySet<string> = new Set(['input', 'workspace']);

const answerSchema = z.strictObject({
  askId: z.string().min(1).max(300),
  hash: z.string().max(200),
  answer: askAnswerSchema.omit({ by: true }),
});

export const publicSchemas = { start: startSchema, answer: answerSchema };

/** What programs may ask over plain HTTP (`/api/v1`). */
export class PublicApi {
  readonly #services: HostServices;

  constructor(services: HostServices) {
    this.#services = services;
  }

  async start(flowId: string, body: z.output<typeof startSchema>): Promise<{ runId: string }> {
    const foreign = Object.keys(body).filter((key) => !startKeys.has(key));
    if (foreign.length > 0) {
      throw userError('INLINE_FLOW_REFUSED', `Only the stored flow runs through this door; remove ${foreign.join(', ')} from the body.`);
    }
    const { workspace } = body;
    return this.#services.runs.start({ flowId, input: body.input, ...(workspace === undefined ? {} : { workspace }) });
  }

  run(id: string) {
    const { document: _document, plan: _plan, options: _options, planHash: _hash, ...run } = this.#services.runs.get(id);
    return run satisfies RunSummary;
  }

  events(id: string, query: URLSearchParams) {
    const number = (name: string, fallback: number) => {
      const value = Number(query.get(name) ?? fallback);
      return Number.isInteger(value) && value >= 0 ? value : fallback;
    };
    return this.#services.runs.events(id, number('after', 0), Math.min(Math.max(number('limit', 1000), 1), 5000));
  }

  answer(id: string, body: z.output<typeof answerSchema>) {
    return this.#services.runs.answer(id, body.askId, body.hash, { ...body.answer, by: 'api' });
  }

  cancel(id: string) {
    return this.#services.runs.cancel(id);
  }
}
