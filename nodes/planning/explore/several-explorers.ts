import { isBridleError } from '@/harness/contract/errors';
import { candidatePaths, type DiveResult, gatherDives, planDives } from '@/harness/planning/exploration/parallel';
import { prompt, section } from '../support/prompt';
import { type LoopResult, runToolLoop } from '../support/tool-loop';
import type { ExploreContext, Explored } from './one-explorer';
import { diveSystem, type ExploreParts, explorePrompt, scanSystem } from './prompt';

const saidBy = ({ summary, text }: LoopResult): string => (summary?.trim() ? summary : text);

/**
 * A scan names the files, shares of which are then read deeply; there is no file summary (planning.md §6). The dives follow each other: within one
 * visit effects must come in the same order each time, or a resumed run would mix up their answers.
 */
export async function exploreInShares(context: ExploreContext, parts: ExploreParts): Promise<Explored> {
  const { config } = context;
  const user = explorePrompt(parts, null);
  const scan = await loop(context, { system: scanSystem, user, turns: config.scanTurns, reads: false });
  const found = await existing(context, candidatePaths(saidBy(scan)));
  const plan = planDives(saidBy(scan), (path) => found.has(path), config);
  context.decide(plan.decision);
  const dives: DiveResult[] = [];
  let turns = scan.turns;
  for (const chunk of plan.chunks) {
    const share = prompt(user, section('Your files', chunk.map((path) => `- ${path}`).join('\n')));
    const dive = await tolerated(() => loop(context, { system: diveSystem, user: share, turns: plan.turns, reads: true }));
    turns += dive.turns;
    dives.push(dive.result);
  }
  const gathered = gatherDives(saidBy(scan), dives);
  context.decide(gathered.decision);
  return {
    summary: gathered.summary,
    prose: gathered.prose,
    turns,
    exit: scan.exit,
    warnings: ['Several explorers leave no file summary; paths of the plan are not checked against it.'],
  };
}

function loop(context: ExploreContext, parts: { system: string; user: string; turns: number; reads: boolean }): Promise<LoopResult> {
  const { role, tools } = context.config;
  const offered = parts.reads ? ['read_file', 'grep_files'] : ['list_directory', 'directory_tree', 'grep_files'];
  return runToolLoop(context, {
    role,
    messages: [
      { role: 'system', content: parts.system },
      { role: 'user', content: parts.user },
    ],
    tools: offered.filter((name) => tools.includes(name)),
    loop: { maxTurns: parts.turns, reminderInterval: context.config.reminderInterval },
    settings: context.config,
    executing: false,
  });
}

/** Which of the named paths are files here: the first line of each is read. */
async function existing(context: ExploreContext, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of paths.slice(0, context.config.scanPaths)) {
    const outcome = await context.tool('read_file', { path, limit: 1 });
    if (outcome.status === 'ok') found.add(path);
  }
  return found;
}

/** A dive whose model failed costs only its own share. */
async function tolerated(work: () => Promise<LoopResult>): Promise<{ result: DiveResult; turns: number }> {
  try {
    const done = await work();
    return { result: { ok: true, prose: saidBy(done) }, turns: done.turns };
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    return { result: { ok: false, error: thrown.message }, turns: 0 };
  }
}
