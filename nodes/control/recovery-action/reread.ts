import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { symptomOf } from '@/harness/layers/execution/symptoms';
import { outsideSources, type RereadStatus, rereadStatus } from '@/harness/layers/recovery/actions/reread';
import type { Belief } from '@/harness/layers/world-model/state';
import { asText } from '../support/helpers';
import type { ControlChannels } from '../support/state';
import type { recoveryAction } from './node';

type Context = ExecuteContext<ConfigOf<typeof recoveryAction>>;

/** Re-reads what these beliefs rest on, with reading tools only. A source that cannot be read now stays unknown. */
export async function rereadSources(
  context: Context,
  { worldModel, evidenceStore }: ControlChannels,
  beliefs: readonly Belief[],
): Promise<Record<string, RereadStatus>> {
  const found: Record<string, RereadStatus> = {};
  const sources = sourcesOf(beliefs, { worldModel, evidenceStore });
  for (const source of sources.slice(0, context.config.maxRereads)) {
    const read = await readSource(context, source);
    if (read.known) found[source] = rereadStatus({ source, content: read.content, beliefs, worldModel, evidence: evidenceStore });
  }
  const unread = sources.length - Object.keys(found).length;
  if (sources.length > 0)
    context.decide({
      rule: 're-read sources',
      outcome: `${Object.keys(found).length} re-read, ${unread} could not be`,
      because: Object.entries(found).map(([name, value]) => ({ name, value })),
    });
  return found;
}

/** Sources that are not on record, and paths on record that the environment changed later. */
function sourcesOf(beliefs: readonly Belief[], state: Pick<ControlChannels, 'worldModel' | 'evidenceStore'>): string[] {
  const resting = new Set(beliefs.flatMap(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence]));
  const touched = state.worldModel.environment_change_log.flatMap(({ affected_paths }) =>
    affected_paths.filter((path) => resting.has(path)),
  );
  return [...new Set([...touched, ...outsideSources(beliefs, state.worldModel, state.evidenceStore)])];
}

type Read = { known: false } | { known: true; content: string | null };

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

async function readSource(context: Context, source: string): Promise<Read> {
  const [name, input] = isAddress(source) ? [context.config.urlTool, { url: source }] : [context.config.fileTool, { path: source }];
  const tool = context.tools().find((entry) => entry.name === name);
  // recovery looks, it never changes anything
  if (tool?.effect !== 'read') return { known: false };
  const outcome = await context.tool(tool.name, input);
  if (outcome.status === 'ok') return { known: true, content: contentOf(outcome.output) };
  if (outcome.status === 'denied') return { known: false };
  return isMissing(outcome.code, outcome.message) ? { known: true, content: null } : { known: false };
}

const contentOf = (output: Json): string =>
  isJsonObject(output) && typeof output.content === 'string'
    ? output.content
    : isJsonObject(output) && typeof output.text === 'string'
      ? output.text
      : asText(output);

const isMissing = (code: string, message: string): boolean =>
  code === 'TOOL_PATH_MISSING' || ['file not found', 'not found'].includes(symptomOf(message) ?? '');
