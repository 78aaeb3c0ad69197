import type { ProviderKind } from './provider';

/** US dollars per million tokens. `cachedInput` is for input tokens the provider read from its cache. */
export interface Price {
  input: number;
  output: number;
  cachedInput?: number;
}

/** As known in November 2025. Providers change prices, so a cost computed from this table is an estimate. */
const table: Readonly<Partial<Record<ProviderKind, Readonly<Record<string, Price>>>>> = {
  openai: {
    'gpt-5.1': { input: 1.25, output: 10, cachedInput: 0.125 },
    'gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
    'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
    'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cachedInput: 0.025 },
    'gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
    o3: { input: 2, output: 8, cachedInput: 0.5 },
    'o4-mini': { input: 1.1, output: 4.4, cachedInput: 0.275 },
  },
  anthropic: {
    'claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5 },
    'claude-opus-4-1': { input: 15, output: 75, cachedInput: 1.5 },
    'claude-opus-4': { input: 15, output: 75, cachedInput: 1.5 },
    'claude-sonnet-4-5': { input: 3, output: 15, cachedInput: 0.3 },
    'claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3 },
    'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1 },
    'claude-3-5-haiku': { input: 0.8, output: 4, cachedInput: 0.08 },
  },
  google: {
    'gemini-2.5-pro': { input: 1.25, output: 10 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
  },
};

/** Prices a person set, by `provider id/model` or by model name alone. */
export type PriceOverrides = Readonly<Record<string, Price>>;

/** A dated or `latest` name costs what its family costs; any other suffix is another model. */
const withoutDate = (model: string): string => model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|0)$/, '');

const own = (record: Readonly<Record<string, Price>> | undefined, key: string): Price | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** `null` when the price is unknown; unknown is never zero. */
export function priceOf(provider: { id: string; kind: ProviderKind }, model: string, overrides: PriceOverrides = {}): Price | null {
  const listed = table[provider.kind];
  return (
    own(overrides, `${provider.id}/${model}`) ?? own(overrides, model) ?? own(listed, model) ?? own(listed, withoutDate(model)) ?? null
  );
}

export interface TokenCounts {
  inputTokens: number | null;
  outputTokens: number | null;
  /** How many of the input tokens came from the provider's cache. */
  cachedInputTokens?: number | null;
}

/** US dollars of one call, `null` when the price or a count is unknown. */
export function costOf(price: Price | null, counts: TokenCounts): number | null {
  if (price === null || counts.inputTokens === null || counts.outputTokens === null) return null;
  const cached = Math.min(counts.cachedInputTokens ?? 0, counts.inputTokens);
  const dollars =
    (counts.inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input) + counts.outputTokens * price.output;
  return dollars / 1_000_000;
}
