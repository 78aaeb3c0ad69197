import type { RunDriver } from '@/harness/engine/driver';
import type { Suspension, Visit } from '@/harness/engine/snapshot';
import type { VirtualClock } from '@/harness/testing/virtual-clock';
import type { ScenarioAnswer } from './scenario';

type OpenAsk = Extract<Suspension, { kind: 'ask' }> & { node: string };

const openAsks = (driver: RunDriver): OpenAsk[] =>
  Object.values(driver.snapshot.visits).flatMap((visit: Visit) =>
    Object.values(visit.suspended).flatMap((entry) => (entry.kind === 'ask' ? [{ ...entry, node: visit.node }] : [])),
  );

/** The people of a scenario: the first unspent answer that fits an open ask is given, after the time its giver takes. */
export class People {
  private readonly uses: number[];
  /** Answers that were refused are not given to the same ask again. */
  private readonly refused = new Set<string>();
  private readonly thinking = new Map<string, 'due' | 'waiting'>();

  constructor(private readonly answers: readonly ScenarioAnswer[]) {
    this.uses = answers.map(() => 0);
  }

  /** Answers what can be answered now; true when somebody spoke or began to think. */
  async speak(driver: RunDriver, clock: VirtualClock): Promise<boolean> {
    let spoke = false;
    for (const ask of openAsks(driver)) {
      const index = this.answers.findIndex(
        (answer, place) => this.isLeft(place) && !this.refused.has(`${place} ${ask.askId}`) && fits(answer, ask),
      );
      const answer = this.answers[index];
      if (!answer) continue;
      const state = this.thinking.get(ask.askId);
      if (state === 'waiting') continue;
      if (answer.afterMs > 0 && state === undefined) {
        this.thinking.set(ask.askId, 'waiting');
        clock.wakeAt(clock.now() + answer.afterMs, () => this.thinking.set(ask.askId, 'due'));
        spoke = true;
        continue;
      }
      this.uses[index] = (this.uses[index] ?? 0) + 1;
      spoke = true;
      const { accepted } = await driver.answer(ask.askId, answer.tampered ? `${ask.hash}-tampered` : ask.hash, {
        choice: answer.choice,
        by: 'person',
        ...(answer.values === undefined ? {} : { values: answer.values }),
        ...(answer.comment === undefined ? {} : { comment: answer.comment }),
      });
      if (!accepted) this.refused.add(`${index} ${ask.askId}`);
    }
    return spoke;
  }

  unused(): ScenarioAnswer[] {
    return this.answers.filter((answer, index) => answer.times !== 0 && (this.uses[index] ?? 0) === 0);
  }

  private isLeft(index: number): boolean {
    const times = this.answers[index]?.times ?? 1;
    return times === 0 || (this.uses[index] ?? 0) < times;
  }
}

const fits = (answer: ScenarioAnswer, ask: OpenAsk): boolean =>
  (answer.node === undefined || answer.node === ask.node) &&
  (answer.kind === undefined || answer.kind === ask.ask.kind) &&
  (answer.title === undefined || ask.ask.title.includes(answer.title));
