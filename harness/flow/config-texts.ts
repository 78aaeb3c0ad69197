import { isJsonObject, type Json, type JsonObject } from '../contract/json';
import type { AnyManifest, FieldHint } from '../contract/node';

/** A text in a config that the expression language reads. */
export interface ConfigText {
  /** Keys and indexes from the config's root. */
  path: readonly (string | number)[];
  kind: 'expression' | 'template';
  text: string;
}

interface Hint extends FieldHint {
  items?: Hints | Hint;
  fields?: Hints;
}
interface Hints {
  [key: string]: Hint | undefined;
}

type Path = readonly (string | number)[];
interface Visitor {
  /** Leave out fields that another field's value switches off. */
  activeOnly: boolean;
  text: (path: Path, kind: ConfigText['kind'], text: string) => string;
}

const kindOf = (hint: Hint): ConfigText['kind'] | null => {
  if (hint.widget === 'expression') return 'expression';
  return hint.widget === 'template' || hint.widget === 'prompt' ? 'template' : null;
};

/** The expressions and templates of a config, as the field hints of its type declare them. Fields that are switched off are left out. */
export function configTexts(manifest: AnyManifest, config: JsonObject): ConfigText[] {
  const found: ConfigText[] = [];
  const text: Visitor['text'] = (path, kind, source) => {
    found.push({ path, kind, text: source });
    return source;
  };
  visitFields(hintsOf(manifest), config, [], { activeOnly: true, text });
  return found;
}

/** The same config with each expression and template replaced, those switched off included; the same object when none changed. */
export function mapConfigTexts(manifest: AnyManifest, config: JsonObject, replace: (text: ConfigText) => string): JsonObject {
  return visitFields(hintsOf(manifest), config, [], { activeOnly: false, text: (path, kind, text) => replace({ path, kind, text }) });
}

/** Hints are keyed by the config's own keys; with the config's type erased they are a plain tree. */
const hintsOf = (manifest: AnyManifest): Hints => (manifest.fields ?? {}) as Hints;

function isActive(hint: Hint, siblings: JsonObject): boolean {
  if (!hint.when) return true;
  const value = Object.hasOwn(siblings, hint.when.field) ? siblings[hint.when.field] : undefined;
  const { is } = hint.when;
  return Array.isArray(is) ? is.some((option) => option === value) : value === is;
}

function visitFields(hints: Hints, value: JsonObject, path: Path, visitor: Visitor): JsonObject {
  let changed: JsonObject | null = null;
  for (const key of Object.keys(hints)) {
    const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
    if (!hint || !Object.hasOwn(value, key) || (visitor.activeOnly && !isActive(hint, value))) continue;
    const before = value[key] ?? null;
    const after = visitValue(hint, before, [...path, key], visitor);
    if (after !== before) {
      changed ??= { ...value };
      changed[key] = after;
    }
  }
  return changed ?? value;
}

function visitValue(hint: Hint, value: Json, path: Path, visitor: Visitor): Json {
  const kind = kindOf(hint);
  if (kind) return visitTexts(value, path, kind, visitor);
  if (hint.fields && isJsonObject(value)) return visitFields(hint.fields, value, path, visitor);
  if (!hint.items) return value;
  // an item hint is a hint of its own, or hints by the item's keys; a widget on it tells which
  const items = hint.items;
  const visitItem = (item: Json, key: string | number): Json => {
    if (typeof items.widget === 'string') return visitValue({ widget: items.widget } as Hint, item, [...path, key], visitor);
    // without a widget of its own it can only be the keyed form
    return isJsonObject(item) ? visitFields(items as Hints, item, [...path, key], visitor) : item;
  };
  return mapChildren(value, visitItem);
}

/** Every text inside of a JSON value. */
function visitTexts(value: Json, path: Path, kind: ConfigText['kind'], visitor: Visitor): Json {
  if (typeof value === 'string') return visitor.text(path, kind, value);
  return mapChildren(value, (child, key) => visitTexts(child, [...path, key], kind, visitor));
}

function mapChildren(value: Json, visit: (child: Json, key: string | number) => Json): Json {
  if (Array.isArray(value)) {
    const mapped = value.map(visit);
    return mapped.some((child, index) => child !== value[index]) ? mapped : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.keys(value).map((key): [string, Json] => [key, visit(value[key] ?? null, key)]);
  return entries.some(([key, child]) => child !== value[key]) ? Object.fromEntries(entries) : value;
}
