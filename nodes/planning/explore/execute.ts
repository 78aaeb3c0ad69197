import { implementNode } from '@/harness/contract/execute';
import { renderFileSummary } from '@/harness/planning/artefacts/render-file-summary';
import { debugArtefact } from '../support/artefact-file';
import { windowOf } from '../support/config';
import { fileSummaryPart, taskOf } from '../support/material';
import { WorkNotes } from '../support/notes';
import { noteThinContext, stageStatus } from '../support/stage';
import { planningState, planningWrites } from '../support/state';
import { explore } from './node';
import { exploreAlone } from './one-explorer';
import { exploreInShares } from './several-explorers';

export const executeExplore = implementNode(explore, async (context) => {
  const { config } = context;
  const state = planningState(context);
  const parts = { task: taskOf(context, state), scope: state.scopeDocument, context: state.planTask.context };
  stageStatus(context, { phase: '2', status: 'running', role: config.role });
  noteThinContext(context, state);
  const began = await context.now();
  const notes = new WorkNotes(context, state);
  const found = config.parallel > 1 ? await exploreInShares(context, parts) : await exploreAlone(context, parts, notes);
  for (const warning of found.warnings) context.log('warning', warning);
  const markdown =
    found.summary === null
      ? found.prose
      : await fileSummaryPart(
          context,
          { ...state, fileSummary: found.summary },
          { tokens: windowOf(config), small: config.toolLimits.smallWindow },
        );
  await debugArtefact(context, 'phase_2_exploration.md', found.summary === null ? found.prose : renderFileSummary(found.summary));
  stageStatus(context, { phase: '2', status: 'done', role: config.role, summary: found.prose });
  return {
    output: {
      summary: found.summary,
      markdown,
      observations: notes.observations.length,
      turns: found.turns,
      exit: found.exit,
      elapsed_ms: (await context.now()) - began,
    },
    writes: planningWrites({
      ...notes.writes(),
      fileSummary: found.summary,
      planWarnings: found.warnings.length > 0 ? found.warnings : undefined,
    }),
  };
});
