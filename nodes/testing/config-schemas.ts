import { z } from 'zod';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { AnyManifest } from '@/harness/contract/node';
import { stableJson } from '@/harness/flow/stable-json';

type Digest = (text: string) => string;
export type RecordedSchemas = Readonly<Record<string, string>>;

/** What of a config schema a saved flow depends on: everything but the words people read. */
export function configShape(manifest: AnyManifest): string {
  // what zod prints is a JSON Schema, which is JSON
  const schema: Json = JSON.parse(JSON.stringify(z.toJSONSchema(manifest.config, { io: 'input' })));
  return stableJson(withoutWords(schema, false));
}

/** `title` and `description` are words where they stand beside a schema's keywords, and field names inside `properties`. */
function withoutWords(value: Json, names: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item, false));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => names || (key !== 'title' && key !== 'description'));
  return Object.fromEntries(
    kept.map(([key, item]) => [key, key === 'default' ? item : withoutWords(item, key === 'properties' && !names)]),
  );
}

export const schemaKey = (manifest: AnyManifest): string => `${manifest.id}@${manifest.version}`;

/** Types whose config schema is not the recorded one, as sentences that say what to do; empty when all is well. */
export function schemaFaults(manifests: Iterable<AnyManifest>, recorded: RecordedSchemas, digest: Digest): string[] {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const known = recorded[schemaKey(manifest)];
    const now = digest(configShape(manifest));
    if (known === undefined)
      faults.push(
        `${schemaKey(manifest)} is not recorded: run the tests once with RECORD_CONFIG_SCHEMAS=1 and commit nodes/config-schemas.json.`,
      );
    else if (known !== now) {
      const next = manifest.version + 1;
      faults.push(
        `The config schema of ${schemaKey(manifest)} has changed, and flows are saved with the old one: set its version to ${next}, add migrations: { ${manifest.version}: (config) => … }, then record it with RECORD_CONFIG_SCHEMAS=1.`,
      );
    }
    for (let version = 1; version < manifest.version; version++) {
      if (!manifest.migrations?.[version])
        faults.push(`${schemaKey(manifest)} has no migration from version ${version}; add migrations[${version}].`);
    }
  }
  return faults;
}

/** Adds what is new; an entry that is there is never changed. */
export const withNewSchemas = (manifests: Iterable<AnyManifest>, recorded: RecordedSchemas, digest: Digest): RecordedSchemas => ({
  ...Object.fromEntries(Array.from(manifests, (manifest) => [schemaKey(manifest), digest(configShape(manifest))])),
  ...recorded,
});
