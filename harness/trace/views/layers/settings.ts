import { z } from 'zod';
import { isJsonObject, type Json } from '../../../contract/json';
import { controlStateConfigSchema, defaultControlStateConfig } from '../../../layers/control-state/config';
import { defaultRecoveryConfig, type RecoveryConfig, recoveryConfigSchema } from '../../../layers/recovery/config';

/** The numbers the layers of a flow go by, for the lines that views draw. */
export interface LayerSettings {
  critical: number;
  caution: number;
  recovery: RecoveryConfig;
}

/** A node as far as its settings go. */
export interface ConfiguredNode {
  type: string;
  config: Json;
}

/** Reads each field on its own, so that one that does not fit (an expression, a newer form) leaves the others standing. */
function readConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, defaults: z.output<z.ZodObject<Shape>>, config: Json) {
  if (!isJsonObject(config)) return defaults;
  const read: Record<string, unknown> = { ...defaults };
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(config, name)) continue;
    const found = z.safeParse(field, config[name]);
    if (found.success) read[name] = found.data;
  }
  return schema.safeParse(read).data ?? defaults;
}

/** The settings of the flow that ran; the specification's where a layer is not drawn. */
export function layerSettings(nodes: readonly ConfiguredNode[]): LayerSettings {
  const config = (type: string): Json => nodes.find((node) => node.type === type)?.config ?? null;
  const { critical, caution } = readConfig(controlStateConfigSchema, defaultControlStateConfig, config('control-state'));
  return { critical, caution, recovery: readConfig(recoveryConfigSchema, defaultRecoveryConfig, config('recovery')) };
}
