/** How numbers and times are written everywhere. Nothing here reads the clock: `now` is handed in. */

const trim = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** Never below zero: clocks that disagree must not show a negative duration (BR-51). */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return '–';
  const ms = Math.max(0, milliseconds);
  if (ms < 1) return ms === 0 ? '0 ms' : '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${trim(ms / 1000, 1)} s`;
  if (ms < 59_500) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1440)} days`;
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

export const formatNumber = (value: number): string => (Number.isFinite(value) ? grouped.format(value) : '–');

/** `1 step`, `2 steps`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`;

/** `null` means the provider did not report it. */
export function formatTokens(tokens: number | null | undefined): string {
  if (tokens === null || tokens === undefined || !Number.isFinite(tokens)) return 'unknown';
  if (tokens < 10_000) return grouped.format(Math.round(tokens));
  if (tokens < 999_500) return `${trim(tokens / 1000, tokens < 99_950 ? 1 : 0)}k`;
  return `${trim(tokens / 1_000_000, 2)}M`;
}

/** US dollars; `null` means the price is not known, which is not the same as free. */
export function formatCost(cost: number | null | undefined): string {
  if (cost === null || cost === undefined || !Number.isFinite(cost)) return 'unknown';
  if (cost === 0) return '$0';
  if (cost < 0.0001) return '<$0.0001';
  if (cost < 0.01) return `$${trim(cost, 4)}`;
  return `$${cost.toFixed(2)}`;
}

/** The cost of a run whose calls may partly have no known price. */
export function formatRunCost(usage: { cost: number; unpricedCalls: number; modelCalls: number }): string {
  if (usage.modelCalls === 0) return '$0';
  if (usage.unpricedCalls === 0) return formatCost(usage.cost);
  if (usage.unpricedCalls >= usage.modelCalls && usage.cost === 0) return 'unknown';
  return `≥ ${formatCost(usage.cost)}`;
}

export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–';
  const size = Math.max(0, bytes);
  if (size < 1000) return `${Math.round(size)} B`;
  if (size < 999_500) return `${trim(size / 1000, size < 9_950 ? 1 : 0)} kB`;
  return `${trim(size / 1_000_000, 1)} MB`;
}

/** `just now`, `4 min ago`, `yesterday`, then a date. A time in the future (a clock ahead of ours) reads as just now. */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  return formatDate(at);
}

export const formatDate = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const formatClock = (at: number): string => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

export const formatDateTime = (at: number): string =>
  `${formatDate(at)}, ${new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })}`;
