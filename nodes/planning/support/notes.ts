import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ChatMessage } from '@/harness/contract/model';
import { fileObservationSchema } from '@/harness/planning/artefacts/file-summary';
import { exploredFiles, rebuildMessages } from '@/harness/planning/context/rebuild';
import { recordObservation } from '@/harness/planning/exploration/observations';
import type { JournalEntry, ObservationRow } from '../channels';
import { type LocalTool, localTool } from './local-tools';
import type { PlanningChannels, PlanningWrites } from './state';

type Context = Pick<ExecuteContext, 'decide' | 'node'>;

/** Observations, scratchpad and journal of one visit: begun from the channels, written back at its end, and what a rebuilt context is made of. */
export class WorkNotes {
  observations: ObservationRow[];
  scratchpad: string;
  /** Entries of this visit only. */
  readonly entries: JournalEntry[] = [];
  readonly #before: PlanningChannels;

  constructor(
    private readonly context: Context,
    state: PlanningChannels,
  ) {
    this.#before = state;
    this.observations = [...state.observations];
    this.scratchpad = state.scratchpad;
  }

  get journal(): JournalEntry[] {
    return [...this.#before.journal, ...this.entries];
  }

  /** `record_file_observation`: the later record of a path replaces the earlier one. */
  observationTool(): LocalTool {
    return {
      ...localTool({
        name: 'record_file_observation',
        description:
          'Records what you learned of one file: its role for the task, why, and verbatim snippets of 15 to 25 lines. A later record of the same file replaces the earlier one.',
        input: fileObservationSchema,
        handle: () => ({ text: '' }),
      }),
      handle: (input) => {
        const record = recordObservation(this.observations, input);
        this.context.decide(record.decision);
        if (!record.accepted) return { text: record.reply, status: 'failed' };
        this.observations = record.observations.map((row) => ({ ...row, id: row.file_path }));
        return { text: record.reply };
      },
    };
  }

  scratchpadTool(): LocalTool {
    return localTool({
      name: 'update_scratchpad',
      description: 'Replaces your scratchpad. It is kept when the conversation is rebuilt, so write what you must not lose.',
      input: z.object({ content: z.string().describe('The whole new text.') }),
      handle: ({ content }) => {
        this.scratchpad = content;
        return { text: `The scratchpad holds ${content.length} characters.` };
      },
    });
  }

  journalTool(): LocalTool {
    return localTool({
      name: 'add_journal_entry',
      description: 'Adds one entry to the journal of this task: what was done, found or decided.',
      input: z.object({ entry: z.string().refine((text) => text.trim() !== '', 'say something') }),
      handle: ({ entry }) => {
        this.entries.push({ phase: this.context.node.label, text: entry.trim() });
        return { text: `The journal has ${this.journal.length} entries.` };
      },
    });
  }

  /** The conversation after a refresh, from what is on record (planning.md §6). */
  rebuilt(messages: readonly ChatMessage[], parts: { system: string; user: string; window: number }): ChatMessage[] {
    return rebuildMessages({
      ...parts,
      observations: this.observations,
      journal: journalText(this.journal),
      scratchpad: this.scratchpad,
      explored: exploredFiles(messages),
    });
  }

  /** What the visit writes: only what it changed, and the session's copy for `/resume`. */
  writes(): PlanningWrites {
    const old = new Map(this.#before.observations.map((row) => [row.id, row]));
    const observed = this.observations.filter((row) => !same(row, old.get(row.id)));
    const padded = this.scratchpad !== this.#before.scratchpad;
    return {
      ...(observed.length > 0 ? { observations: observed } : {}),
      ...(padded ? { scratchpad: this.scratchpad } : {}),
      ...(this.entries.length > 0 ? { journal: [...this.entries] } : {}),
      ...(padded || this.entries.length > 0 ? { sessionWork: { scratchpad: this.scratchpad, journal: this.journal } } : {}),
    };
  }
}

const same = (left: ObservationRow, right: ObservationRow | undefined): boolean =>
  right !== undefined && JSON.stringify(left) === JSON.stringify(right);

export const journalText = (journal: readonly JournalEntry[]): string =>
  journal.map(({ phase, text }) => `- ${phase === '' ? '' : `[${phase}] `}${text}`).join('\n');
