import { z } from 'zod';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { fact } from '@/harness/layers/shared/explain';
import {
  coreFunctionalityTagSchema,
  type DesignAndRisks,
  dedupeCitations,
  designAndRisksSchema,
  designFromProse,
  renderDesignAndRisks,
} from '@/harness/planning/artefacts/design';
import { debugArtefact } from '../support/artefact-file';
import { windowOf } from '../support/config';
import { contextPart, fileSummaryPart, scopePart, taskOf, taskPart } from '../support/material';
import { recall } from '../support/memories';
import { retrievalFor } from '../support/memory-fields';
import { section } from '../support/prompt';
import { noteThinContext, stageStatus } from '../support/stage';
import { planningState, planningWrites } from '../support/state';
import { askPhase } from '../support/structured';
import { runToolLoop } from '../support/tool-loop';
import { design } from './node';
import { designPrompt, recordSystem, thinkSystem } from './prompt';

type Context = ExecuteContext<ConfigOf<typeof design>>;

/** A model gives only the four automatic signals; the fifth is a person's, in the approval. */
const replySchema = designAndRisksSchema.extend({
  core_functionality: z
    .array(
      coreFunctionalityTagSchema.extend({
        source_signal: coreFunctionalityTagSchema.shape.source_signal.exclude(['user_designated']),
      }),
    )
    .default([]),
});

export const executeDesign = implementNode(design, async (context) => {
  const { config } = context;
  const material = await materialFor(context);
  const thought = await runToolLoop(context, {
    role: config.role,
    messages: [
      { role: 'system', content: thinkSystem(config.coreFunctionality) },
      { role: 'user', content: material },
    ],
    tools: config.tools,
    loop: { maxTurns: config.maxTurns, textOnlyExit: config.textOnlyExit },
    settings: config,
    executing: false,
  });
  const prose = thought.summary?.trim() ? thought.summary : thought.text;
  const { value, problem } = await record(context, material, prose);
  decideTags(context, value);
  const markdown = renderDesignAndRisks(value);
  await debugArtefact(context, 'phase_3_design_and_risks.md', markdown);
  stageStatus(context, { phase: '3', status: 'done', role: config.role, summary: prose });
  const warnings = [
    ...(thought.warning === null ? [] : [`Design: ${thought.warning}`]),
    ...(problem === null ? [] : [`The design could not be written down (${problem}); only its prose is kept.`]),
  ];
  return {
    output: { design: value, markdown, missing_files: value.missing_files, fallback: problem !== null, turns: thought.turns },
    writes: planningWrites({ designAndRisks: value, planWarnings: warnings.length > 0 ? warnings : undefined }),
  };
});

async function materialFor(context: Context): Promise<string> {
  const { config } = context;
  const state = planningState(context);
  const task = taskOf(context, state);
  stageStatus(context, { phase: '3', status: 'running', role: config.role, summary: `Switching to the ${config.role} model.` });
  noteThinContext(context, state);
  const window = windowOf(config);
  const memories = await recall(context, { query: task, window, retrieval: retrievalFor('phase_3', config) });
  const files = await fileSummaryPart(context, state, { tokens: window, small: config.toolLimits.smallWindow });
  return designPrompt(taskPart(task), scopePart(state), files, contextPart(state), section('What earlier work taught', memories));
}

/** The second pass. When it fails, an empty design keeps the prose in its notes. */
async function record(context: Context, material: string, prose: string): Promise<{ value: DesignAndRisks; problem: string | null }> {
  const { role, coreFunctionality } = context.config;
  const answer = await askPhase(context, {
    name: 'design-and-risks',
    role,
    schema: replySchema,
    system: recordSystem(coreFunctionality),
    prompt: designPrompt(material, section('The design', prose)),
  });
  if (answer.ok) {
    const value = dedupeCitations(answer.value);
    return { value: coreFunctionality ? value : { ...value, core_functionality: [] }, problem: null };
  }
  context.decide({
    rule: 'design_fallback',
    outcome: 'an empty design with the prose in its notes',
    because: [fact('error', answer.problem)],
    alternatives: [{ outcome: 'a structured design', needs: 'a reply that fits its schema' }],
  });
  return { value: designFromProse(prose), problem: answer.problem };
}

function decideTags(context: Context, { core_functionality }: DesignAndRisks): void {
  for (const { entity, file_path, source_signal, confidence, reason } of core_functionality) {
    context.decide({
      rule: 'core_tag',
      outcome: `${entity}: ${confidence}`,
      because: [fact('file', file_path), fact('signal', source_signal), fact('confidence', confidence)],
      note: reason,
    });
  }
}
