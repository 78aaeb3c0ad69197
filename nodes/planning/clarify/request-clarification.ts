import { z } from 'zod';
import { timeoutChoice } from '@/harness/contract/ask';
import type { ExecuteContext } from '@/harness/contract/execute';
import { compared, fact } from '@/harness/layers/shared/explain';
import type { Clarification } from '@/harness/planning/artefacts/phase1-summary';
import { type LocalReply, type LocalTool, localTool } from '../support/local-tools';

type Context = Pick<ExecuteContext, 'ask' | 'now' | 'decide'>;

/** What the model is told, by how the question ended (planning.md §4). Nothing here ends the phase. */
const told: Record<Clarification['outcome'], (answer: string) => LocalReply> = {
  answered: (answer) => ({ text: `User answered: ${answer}` }),
  empty: () => ({
    text: 'The user gave no answer. Make your best guess and record it in your summary as an ASSUMPTION.',
  }),
  cancelled: () => ({
    text: 'ERROR: the user declined to answer. Go on without it, and mark what stays open as UNCERTAIN.',
    status: 'failed',
  }),
  disconnected: () => ({
    text: 'ERROR: nobody answered in time. Go on without it, and mark what stays open as UNCERTAIN.',
    status: 'failed',
  }),
  error: () => ({ text: 'ERROR: the question was empty. Ask something, or go on.', status: 'failed' }),
};

/** `request_clarification`: the run waits until a person answers. */
export class Clarifications {
  readonly all: Clarification[] = [];

  constructor(
    private readonly context: Context,
    private readonly timeoutMs: number | null,
  ) {}

  tool(): LocalTool {
    return localTool({
      name: 'request_clarification',
      description: 'Asks the user one question and waits for the answer. Only for what the user alone can decide.',
      input: z.object({ question: z.string() }),
      handle: ({ question }) => this.#put(question.trim()),
    });
  }

  async #put(question: string): Promise<LocalReply> {
    const { outcome, answer } = question === '' ? { outcome: 'error' as const, answer: '' } : await this.#ask(question);
    this.all.push({ question, answer, outcome });
    this.context.decide({
      rule: 'clarification',
      outcome,
      because: [fact('question', question), compared('characters of the answer', answer.length, '>', 0)],
    });
    return told[outcome](answer);
  }

  async #ask(question: string): Promise<Pick<Clarification, 'outcome' | 'answer'>> {
    const number = this.all.length + 1;
    this.context.decide({ rule: 'clarification_needed', outcome: 'ask a person', because: [fact('question', question)] });
    const expiresAt = this.timeoutMs === null ? null : (await this.context.now()) + this.timeoutMs;
    const reply = await this.context.ask(`clarification-${number}`, {
      kind: 'question',
      title: 'A question before planning',
      body: question,
      choices: [
        { id: 'answered', label: 'Send answer', tone: 'accept' },
        { id: 'cancelled', label: 'Do not answer', tone: 'reject' },
      ],
      form: { type: 'object', properties: { answer: { type: 'string', title: 'Answer' } } },
      ...(expiresAt === null ? {} : { expiresAt }),
    });
    if (reply.choice === timeoutChoice) return { outcome: 'disconnected', answer: '' };
    if (reply.choice !== 'answered') return { outcome: 'cancelled', answer: '' };
    const given = reply.values?.answer;
    const answer = (typeof given === 'string' && given.trim() !== '' ? given : (reply.comment ?? '')).trim();
    return { outcome: answer === '' ? 'empty' : 'answered', answer };
  }
}
