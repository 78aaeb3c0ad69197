import type { Reliability } from '../../contract/tool';
import { internalSources } from './gather';
import type { EvidenceStore } from './state';

interface Source {
  name: string;
  ceiling: Reliability;
}

/**
 * The sources a run begins with: the harness's own, and its tools with the ceilings they declare. A store that lists sources already stays
 * as it is, so what was marked unavailable does not come back.
 */
export function withSources(store: EvidenceStore, tools: readonly Source[]): EvidenceStore {
  if (Object.keys(store.tool_availability_manifest).length > 0) return store;
  const names = [...internalSources, ...tools.map(({ name }) => name)];
  return {
    ...store,
    tool_availability_manifest: Object.fromEntries(names.map((name) => [name, { available: true, fallback_tool: null }])),
    tool_reliability_envelopes: {
      ...Object.fromEntries(
        tools.map(({ name, ceiling }) => [name, { tool: name, max_observation_reliability: ceiling, max_conclusion_reliability: ceiling }]),
      ),
      ...store.tool_reliability_envelopes,
    },
  };
}
