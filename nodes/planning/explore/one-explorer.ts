import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { compared, fact } from '@/harness/layers/shared/explain';
import { type FileSummary, fileSummarySchema } from '@/harness/planning/artefacts/file-summary';
import { gateTaskComplete } from '@/harness/planning/exploration/completion-gate';
import { windowOf } from '../support/config';
import { journalText, type WorkNotes } from '../support/notes';
import { prompt, section } from '../support/prompt';
import { planningState } from '../support/state';
import { askPhase } from '../support/structured';
import { type LoopResult, runToolLoop } from '../support/tool-loop';
import type { explore } from './node';
import { type ExploreParts, explorePrompt, exploreSystem, synthesisSystem } from './prompt';

export type ExploreContext = ExecuteContext<ConfigOf<typeof explore>>;

export interface Explored {
  summary: FileSummary | null;
  prose: string;
  turns: number;
  exit: string;
  warnings: string[];
}

/** One explorer with the whole task, then one structured call over what it recorded (planning.md §6). */
export async function exploreAlone(context: ExploreContext, parts: ExploreParts, notes: WorkNotes): Promise<Explored> {
  const state = planningState(context);
  const user = explorePrompt(parts, { scratchpad: state.scratchpad, journal: journalText(state.journal) });
  const result = await wander(context, user, notes);
  const prose = result.summary?.trim() ? result.summary : result.text;
  const warnings = result.warning === null ? [] : [`Exploration: ${result.warning}`];
  const answer = await askPhase(context, {
    name: 'file-summary',
    role: context.config.role,
    schema: fileSummarySchema,
    system: synthesisSystem,
    prompt: prompt(
      explorePrompt(parts, null),
      section('Recorded observations', JSON.stringify(notes.observations.map(({ id: _id, ...observation }) => observation))),
      section('Scratchpad', notes.scratchpad),
      section('Journal', journalText(notes.journal)),
      section('What the explorer said', prose),
    ),
  });
  const ended = { prose, turns: result.turns, exit: result.exit };
  if (answer.ok) return { ...ended, summary: answer.value, warnings };
  context.decide({
    rule: 'exploration synthesis failed',
    outcome: 'no file summary; the prose stands in',
    because: [fact('error', answer.problem), compared('files recorded', notes.observations.length, '>=', 0)],
    alternatives: [{ outcome: 'a file summary', needs: 'a reply that fits its schema' }],
    note: 'Checks that need the file summary (V1, V3) are skipped.',
  });
  return {
    ...ended,
    summary: null,
    warnings: [...warnings, `The exploration could not be summed up (${answer.problem}); paths of the plan are not checked against it.`],
  };
}

function wander(context: ExploreContext, user: string, notes: WorkNotes): Promise<LoopResult> {
  const { config } = context;
  return runToolLoop(context, {
    role: config.role,
    messages: [
      { role: 'system', content: exploreSystem },
      { role: 'user', content: user },
    ],
    tools: config.tools,
    local: [notes.observationTool(), notes.scratchpadTool(), notes.journalTool()],
    loop: { maxTurns: config.maxTurns, reminderInterval: config.reminderInterval },
    settings: config,
    executing: false,
    completion: {
      validate: () => {
        const gate = gateTaskComplete(notes.observations, config);
        context.decide(gate.decision);
        return gate.accepted ? null : gate.reply;
      },
    },
    refresh: (messages) => notes.rebuilt(messages, { system: exploreSystem, user, window: windowOf(config) }),
  });
}
