import type { Json, JsonObject } from '@/harness/contract/json';
import type { AnyManifest, ConfigOf } from '@/harness/contract/node';
import type { EndedCall, PolicyContext, Usage } from '@/harness/contract/policy';

export const unused: Usage = { steps: 0, tokens: 0, cost: 0, unpricedCalls: 0, modelCalls: 0, toolCalls: 0, elapsedMs: 0 };

/** A `PolicyContext` for tests of policy hooks. */
export function fakePolicy<M extends AnyManifest>(
  manifest: M,
  options: {
    config?: JsonObject;
    usage?: Partial<Usage>;
    attempt?: number;
    state?: Record<string, Json>;
    calls?: EndedCall[];
    workspace?: string;
    type?: string;
  } = {},
): PolicyContext<ConfigOf<M>> {
  return {
    // parsing gives exactly what ConfigOf names; the manifest is generic here, so the compiler cannot see it
    config: manifest.config.parse(options.config ?? {}) as ConfigOf<M>,
    policy: { id: 'policy', label: manifest.title },
    node: { id: 'guarded', label: 'Guarded', type: options.type ?? 'agent' },
    run: { id: 'run', workspace: options.workspace ?? null },
    calls: options.calls ?? [],
    usage: { ...unused, ...options.usage },
    attempt: options.attempt ?? 1,
    state: options.state ?? {},
    evaluate: () => null,
  };
}
