import { z } from 'zod';
import type { JsonSchema } from '@/harness/contract/json';
import { type AnyManifest, outputSchemaOf, type PortSpec, portsOf } from '@/harness/contract/node';

export interface NodeFacts {
  configSchema: JsonSchema;
  /** null where the outputs follow from a config that has no complete default. */
  outputSchema: JsonSchema | null;
  ports: PortSpec[] | null;
  portsFollowConfig: boolean;
  outputsFollowConfig: boolean;
}

/** What zod returns here is a JSON Schema document, which is plain JSON by its own definition. */
const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const text = JSON.stringify(z.toJSONSchema(schema, { io }));
  const parsed: JsonSchema = JSON.parse(text);
  return parsed;
};

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    // a function of config that needs a field without a default: the page says that it depends on the config
    return null;
  }
}

/** The defaults a fresh node has; required fields without a default stay absent. */
function defaultConfig(manifest: AnyManifest): unknown {
  const whole = manifest.config.safeParse({});
  if (whole.success) return whole.data;
  const shape: Record<string, z.ZodType> = manifest.config.shape;
  const entries = Object.entries(shape).flatMap(([key, field]) => {
    const parsed = field.safeParse(undefined);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Everything the reference page says that the manifest does not say in so many words. */
export function factsOf(manifest: AnyManifest): NodeFacts {
  const config = defaultConfig(manifest);
  return {
    configSchema: toJsonSchema(manifest.config, 'input'),
    outputSchema: attempt(() => toJsonSchema(outputSchemaOf(manifest, config), 'output')),
    ports: attempt(() => portsOf(manifest, config)),
    portsFollowConfig: typeof manifest.ports === 'function',
    outputsFollowConfig: typeof manifest.outputs === 'function',
  };
}
