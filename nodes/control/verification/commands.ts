import type { ExecuteContext, ToolOutcome } from '@/harness/contract/execute';
import type { JsonObject } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { applyToolReliability, gatherEvidence } from '@/harness/layers/evidence/gather';
import type { EvidenceStore } from '@/harness/layers/evidence/state';
import { type CommandRun, commandRunSchema, outcomeOfRun, skipped } from '@/harness/layers/verification/backing';
import type { BackedOutcome } from '@/harness/layers/verification/verify';
import { clip, decideAll } from '../support/helpers';
import { type CommandCheck, commandChecks, type verification } from './node';

type Context = ExecuteContext<ConfigOf<typeof verification>>;
export const checkTool = 'run_check';

export interface CommandResults {
  backing: Partial<Record<CommandCheck, BackedOutcome>>;
  /** The evidence store with what the commands showed. */
  store: EvidenceStore;
}

/** Runs the checks of the workspace that are switched on; each run is evidence, capped by the ceiling of its tool. */
export async function runCommands(
  context: Context,
  work: { taskId: string; changedPaths: readonly string[]; store: EvidenceStore; now: string },
): Promise<CommandResults> {
  const results: CommandResults = { backing: {}, store: work.store };
  for (const check of commandChecks) {
    const why = whyNot(context, check, work.changedPaths);
    if (why !== null) {
      results.backing[check] = skipped(why);
      continue;
    }
    const run = readRun(await context.tool(checkTool, inputOf(context, check, work.changedPaths)));
    if (typeof run === 'string') {
      results.backing[check] = skipped(run);
      continue;
    }
    const id = `check-${check}-${work.taskId}-${context.visit.number}`;
    const outcome = outcomeOfRun(run);
    const kept = outcome.status === 'SKIPPED' ? null : keep(context, results.store, { id, check, run, outcome, at: work.now });
    if (kept) results.store = kept;
    results.backing[check] = { ...outcome, evidenceIds: kept ? [id] : [] };
  }
  return results;
}

function whyNot({ config, run, tools }: Context, check: CommandCheck, changed: readonly string[]): string | null {
  if (config[check] === 'off' || config.disabled.includes(check)) return 'switched off';
  if (config[check] === 'command' && config[`${check}Command`].trim() === '') return 'no command given';
  if (run.workspace === null) return 'the run has no workspace';
  if (config.when === 'changed' && changed.length === 0) return 'no file was changed';
  return tools().some(({ name }) => name === checkTool) ? null : `the tool ${checkTool} is not granted`;
}

const inputOf = ({ config }: Context, check: CommandCheck, changed: readonly string[]): JsonObject => ({
  kind: check,
  timeoutSeconds: config.timeoutSeconds,
  ...(config[check] === 'command' ? { command: config[`${check}Command`].trim() } : {}),
  ...(check === 'syntax' && config[check] === 'detected' && changed.length > 0 ? { paths: changed.slice(0, 1000) } : {}),
});

/** The run, or why there is none. */
function readRun(outcome: ToolOutcome): CommandRun | string {
  if (outcome.status !== 'ok') return `${checkTool} was ${outcome.status === 'denied' ? 'refused' : 'not run'}: ${outcome.message}`;
  const parsed = commandRunSchema.safeParse(outcome.output);
  return parsed.success ? parsed.data : `${checkTool} answered something else`;
}

function keep(
  context: Context,
  store: EvidenceStore,
  { id, check, run, outcome, at }: { id: string; check: CommandCheck; run: CommandRun; outcome: BackedOutcome; at: string },
): EvidenceStore | null {
  const obs = `${check} (${run.command ?? 'command'}): ${outcome.detail}${outcome.status === 'FAIL' ? `\n${clip(run.output.trim(), 1000)}` : ''}`;
  const gathered = gatherEvidence(store, { id, obs, source: checkTool, evidence_type: 'OBSERVATION', reliability: 'HIGH', freshness: at });
  if (gathered.evidence === null) return null;
  const capped = applyToolReliability(gathered.store, gathered.evidence);
  decideAll(context, capped.evidence.reliability === gathered.evidence.reliability ? [] : [capped.decision]);
  return capped.store;
}
