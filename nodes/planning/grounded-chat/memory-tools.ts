import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import { memorySuggested, takeIn } from '@/harness/planning/memory/curate';
import { retrievalOf, retrieveMemories } from '@/harness/planning/memory/retrieve';
import { type MemoryRow, memoryCategorySchema } from '@/harness/planning/memory/row';
import { type LocalTool, localTool } from '../support/local-tools';

type Context = Pick<ExecuteContext, 'decide' | 'now' | 'run' | 'visit'>;

/** `save_note` and `search_workspace_memory` over the memories of the flow. Notes are suggestions until a person confirms them. */
export class ChatMemory {
  /** Rows that are new or have changed. */
  readonly changed = new Map<string, MemoryRow>();

  constructor(
    private readonly context: Context,
    private rows: readonly MemoryRow[],
  ) {}

  searchTool(window: number): LocalTool {
    return localTool({
      name: 'search_workspace_memory',
      description: 'Finds what earlier work in this workspace taught.',
      input: z.object({ query: z.string() }),
      handle: async ({ query }) => {
        const found = retrieveMemories(this.rows, { query, window, now: await this.context.now() }, retrievalOf('phase_1'));
        this.context.decide(found.decision);
        return { text: found.text === '' ? 'Nothing is remembered about that.' : found.text };
      },
    });
  }

  noteTool(): LocalTool {
    return localTool({
      name: 'save_note',
      description: 'Suggests something worth remembering about this workspace, in one to three sentences.',
      input: z.object({
        content: z.string().refine((text) => text.trim() !== '', 'say something'),
        category: memoryCategorySchema.default('discovery'),
      }),
      handle: ({ content, category }) => {
        const id = `note-${this.context.run.id}-${this.context.visit.number}-${this.changed.size + 1}`;
        const taken = takeIn(this.rows, { id, content: content.trim(), category, tags: [], source_phase: 'chat', confidence: 0.5 });
        this.context.decide(taken.decision);
        this.rows = taken.rows;
        if (taken.row === null) return { text: 'A person has rejected this before; it is not kept.', status: 'denied' };
        this.changed.set(taken.row.id, taken.row);
        const { memory_id, category: kept } = memorySuggested(taken.row);
        this.context.decide({
          rule: 'memory_suggested',
          outcome: taken.outcome,
          because: [
            { name: 'memory', value: memory_id },
            { name: 'category', value: kept },
          ],
        });
        return { text: `Noted (${taken.outcome}).` };
      },
    });
  }
}
