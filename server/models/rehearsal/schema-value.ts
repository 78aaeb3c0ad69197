import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@/harness/contract/json';
import { bestQuotes, type Gathered, type Quote } from './evidence';
import { bestSentences, extractBody } from './extractive';
import { textOfPattern } from './pattern-text';
import { coverage, sentencesOf, stemOf, stemsOf, termsOf } from './words';

/** What the values are drawn from. */
interface Source {
  root: JsonSchema;
  gathered: Gathered;
  quotes: Quote[];
  /** The prompt's lines, for what they say about each choice. */
  lines: string[];
  /** Share of the question's words that what was gathered covers, 0 to 1. */
  covered: number;
}

interface Place {
  key: string;
  /** Number of the list item it stands in, so that items differ. */
  index: number;
  depth: number;
}

const maxDepth = 6;
const unfavourable =
  /^(?:no|none|fail(?:ed|ure)?|false|reject(?:ed)?|deny|denied|block(?:ed)?|insufficient|unsure|unknown|missing|low|ask|not[ _-].*|un.*)$/i;
const adverse = /^(?:needs?|missing|unsure|block|fail|error|contradict|risk|ask|insufficient|uncertain)/i;

/** A value of the schema, chosen by what the prompt and the gathered evidence say. The same request gives the same value. */
export function valueOfSchema(schema: JsonSchema, gathered: Gathered, prompt: string): Json {
  const quotes = bestQuotes(gathered.quotes, gathered.terms, 8);
  const said = [...quotes.map((quote) => quote.text), ...gathered.texts].join('\n');
  const covered = gathered.terms.length === 0 ? 0 : coverage(gathered.terms, said) / gathered.terms.length;
  const source: Source = { root: schema, gathered, quotes, lines: prompt.split('\n'), covered };
  return valueAt(schema, source, { key: '', index: 0, depth: 0 });
}

function resolve(schema: Json | undefined, source: Source): JsonObject {
  let at: Json | undefined = schema;
  for (let hop = 0; hop < 20 && isJsonObject(at) && typeof at.$ref === 'string'; hop += 1) {
    let target: Json | undefined = source.root;
    for (const part of at.$ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    at = target;
  }
  if (!isJsonObject(at)) return {};
  if (!Array.isArray(at.allOf)) return at;
  const { allOf, ...own } = at;
  return allOf.reduce<JsonObject>((merged, part) => merge(merged, resolve(part, source)), own);
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const properties = {
    ...(isJsonObject(left.properties) ? left.properties : {}),
    ...(isJsonObject(right.properties) ? right.properties : {}),
  };
  const required = [...(Array.isArray(left.required) ? left.required : []), ...(Array.isArray(right.required) ? right.required : [])];
  return { ...left, ...right, ...(Object.keys(properties).length > 0 ? { properties } : {}), ...(required.length > 0 ? { required } : {}) };
}

const typeOf = (schema: JsonObject): string => {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const wanted = type.find((name) => name !== 'null');
    return typeof wanted === 'string' ? wanted : 'null';
  }
  if (isJsonObject(schema.properties) || Array.isArray(schema.required)) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (typeof schema.minimum === 'number' || typeof schema.maximum === 'number') return 'number';
  return 'string';
};

function valueAt(raw: Json | undefined, source: Source, place: Place): Json {
  const schema = resolve(raw, source);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return choose(schema.enum, schema, source);
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : null;
  if (variants !== null) {
    const { anyOf: _any, oneOf: _one, ...own } = schema;
    const usable = variants.map((variant) => merge(own, resolve(variant, source))).filter((variant) => variant.type !== 'null');
    return usable[0] === undefined ? null : valueAt(pickVariant(usable, source), source, place);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, source, place);
    case 'array':
      return listOf(schema, source, place);
    case 'boolean':
      return adverse.test(place.key) ? source.covered < 0.5 : source.covered >= 0.5;
    case 'integer':
    case 'number':
      return numberOf(schema, source, place);
    case 'null':
      return null;
    default:
      return textOf(schema, source, place);
  }
}

/** Variants told apart by a constant are chosen like the options of an enum. */
function pickVariant(variants: JsonObject[], source: Source): JsonObject {
  const names = variants.map((variant) => {
    const properties = isJsonObject(variant.properties) ? Object.values(variant.properties) : [];
    const tag = properties.map((property) => resolve(property, source).const).find((value) => typeof value === 'string');
    return tag ?? null;
  });
  if (names.some((name) => name === null)) return variants[0] ?? {};
  const chosen = JSON.stringify(choose(names, {}, source));
  return variants.find((_, index) => JSON.stringify(names[index]) === chosen) ?? {};
}

/** The option whose description in the prompt shares most words with the question; then by whether there is evidence; then the first. */
function choose(options: readonly Json[], schema: JsonObject, source: Source): Json {
  const question = stemsOf(source.gathered.question);
  const words = new Set(source.gathered.terms.map((term) => term.stem));
  const about = [...source.lines, ...(typeof schema.description === 'string' ? schema.description.split(/[\n;]/) : [])];
  let best: Json = options[0] ?? null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const option of options) {
    const name = String(option);
    const mark = new RegExp(`(?:^|[^\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:$|[^\\p{L}\\p{N}])`, 'iu');
    const lines = about.filter((line) => mark.test(line) && line.trim() !== source.gathered.question);
    const described = termsOf(lines.join(' '), 60).filter((term) => words.has(term.stem)).length;
    const named = question.has(stemOf(name)) ? 3 : 0;
    const fitting = typeof option === 'string' && unfavourable.test(option) === source.covered >= 0.5 ? -0.5 : 0;
    const score = described + named + fitting;
    if (score > bestScore) {
      best = option;
      bestScore = score;
    }
  }
  return best;
}

function objectOf(schema: JsonObject, source: Source, place: Place): JsonObject {
  const value: JsonObject = {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set((Array.isArray(schema.required) ? schema.required : []).filter((name) => typeof name === 'string'));
  for (const [key, property] of Object.entries(properties)) {
    if (!required.has(key) && place.depth >= maxDepth - 2) continue;
    if (place.depth >= maxDepth * 3) continue;
    set(value, key, valueAt(property, source, { key, index: place.index, depth: place.depth + 1 }));
  }
  for (const key of required) {
    if (!Object.hasOwn(value, key))
      set(value, key, valueAt(schema.additionalProperties, source, { ...place, key, depth: place.depth + 1 }));
  }
  return value;
}

/** `__proto__` as a key of a person's schema must become a property, not a prototype. */
const set = (target: JsonObject, key: string, value: Json): void => {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
};

const isQuoteKey = (key: string): boolean => /cit|evidence|source|quote|finding|reference|fact/i.test(key);

function listOf(schema: JsonObject, source: Source, place: Place): Json[] {
  if (Array.isArray(schema.prefixItems)) {
    return schema.prefixItems.map((item, index) => valueAt(item, source, { key: place.key, index, depth: place.depth + 1 }));
  }
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : 3;
  const there = isQuoteKey(place.key) ? source.quotes.length : Math.max(1, Math.min(3, bestSentences(source.gathered, 3).length));
  const count = Math.max(least, place.depth >= maxDepth - 2 ? 0 : Math.min(most, there));
  const items: Json[] = [];
  const seen = new Set<string>();
  for (let index = 0; items.length < count && index < count + 20; index += 1) {
    const item = valueAt(schema.items, source, { key: place.key, index, depth: place.depth + 1 });
    const text = JSON.stringify(item);
    if (seen.has(text) && (schema.uniqueItems === true || items.length >= least)) continue;
    seen.add(text);
    items.push(item);
  }
  return items;
}

function numberOf(schema: JsonObject, source: Source, place: Place): number {
  const whole = typeOf(schema) === 'integer';
  const step = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : whole ? 1 : 0;
  const nudge = step === 0 ? 0.001 : step;
  const low =
    typeof schema.minimum === 'number'
      ? schema.minimum
      : typeof schema.exclusiveMinimum === 'number'
        ? schema.exclusiveMinimum + nudge
        : Number.NEGATIVE_INFINITY;
  const high =
    typeof schema.maximum === 'number'
      ? schema.maximum
      : typeof schema.exclusiveMaximum === 'number'
        ? schema.exclusiveMaximum - nudge
        : Number.POSITIVE_INFINITY;
  const base = Number.isFinite(low) ? low : 0;
  let wanted: number;
  if (/confidence|score|coverage|probab|certain|relevan|quality|strength|belief|support/i.test(place.key)) {
    wanted = base + source.covered * ((Number.isFinite(high) ? high : base + 1) - base);
  } else if (/line/i.test(place.key)) wanted = source.quotes[place.index]?.line ?? 1;
  else if (/count|total|number/i.test(place.key)) wanted = source.quotes.length;
  else wanted = /\d+(?:\.\d+)?/.test(source.gathered.question) ? Number(/\d+(?:\.\d+)?/.exec(source.gathered.question)?.[0]) : base;
  const clamped = Math.min(high, Math.max(low, wanted));
  if (step === 0) return Math.round(clamped * 1000) / 1000;
  const up = Math.ceil(low / step) * step;
  const down = Math.round(clamped / step) * step;
  return Number.isFinite(up) && down < low ? up : down > high ? Math.floor(high / step) * step : down;
}

const formats: Readonly<Record<string, string>> = {
  date: '2000-01-01',
  'date-time': '2000-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'rehearsal@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};

function textOf(schema: JsonObject, source: Source, place: Place): string {
  if (typeof schema.format === 'string' && Object.hasOwn(formats, schema.format)) return formats[schema.format] ?? '';
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : 4000;
  let text = wordsFor(place, source);
  if (typeof schema.pattern === 'string') {
    const pattern = schema.pattern;
    const fits = (candidate: string): boolean => {
      try {
        return new RegExp(pattern, 'u').test(candidate);
      } catch {
        return false;
      }
    };
    const quote = source.quotes[place.index];
    const candidates = [
      text,
      ...(quote === undefined ? [] : [`${quote.path}:${quote.line}`, quote.path]),
      ...source.gathered.terms.map((term) => term.stem),
    ];
    text = candidates.find(fits) ?? textOfPattern(pattern) ?? text;
  }
  if (text.length > most) text = text.slice(0, most);
  while (text.length < least) text = `${text}${text === '' ? 'rehearsal' : ` ${text}`}`.slice(0, Math.max(least, text.length + 1));
  return text;
}

function wordsFor(place: Place, source: Source): string {
  const { gathered, quotes } = source;
  const quote = quotes[place.index];
  const key = place.key.toLowerCase();
  if (/^(?:file|path|filename|file_?path)$/.test(key)) return quote?.path ?? '';
  if (/cit|source|reference|location/.test(key)) return quote === undefined ? '' : `${quote.path}:${quote.line}`;
  if (/quote|excerpt|snippet|evidence|finding|fact/.test(key)) return quote?.text ?? bestSentences(gathered, 8)[place.index] ?? '';
  if (/question|query|goal|task|request|topic|intent/.test(key)) {
    return place.index === 0 ? gathered.question : (gathered.terms[place.index - 1]?.word ?? `${gathered.question} (${place.index + 1})`);
  }
  if (/^(?:id|key|slug|name|label|tag|keyword|keywords|tags|title|term|terms|entity|entities)$/.test(key)) {
    return gathered.terms[place.index]?.word ?? `item ${place.index + 1}`;
  }
  if (/reason|why|rationale|explanation|because/.test(key)) {
    const words = gathered.terms.map((term) => term.word).join(', ');
    return `Rehearsal: ${Math.round(source.covered * 100)} % of the question's words (${words || 'none'}) occur in what was gathered.`;
  }
  if (/answer|reply|response|text|message|summary|content|draft|report|body|result|output/.test(key)) return extractBody(gathered);
  const sentences = bestSentences(gathered, 8);
  return (
    sentences[place.index] ?? sentencesOf(gathered.question)[place.index] ?? gathered.terms[place.index]?.word ?? `item ${place.index + 1}`
  );
}
