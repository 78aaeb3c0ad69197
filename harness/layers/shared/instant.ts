const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Days since 1970-01-01 of a proleptic Gregorian date. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/**
 * Milliseconds since the epoch of an ISO 8601 timestamp; `NaN` when the text is not one. Without an offset the time is UTC.
 * Written out because the harness has no clock and no `Date`.
 */
export function parseInstant(text: string): number {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const value = parse(text);
  // Sweeps read the same stamps again and again; the memo is dropped before it can grow without bound.
  if (parsed.size >= 20_000) parsed.clear();
  parsed.set(text, value);
  return value;
}

const parsed = new Map<string, number>();

function parse(text: string): number {
  const match = pattern.exec(text);
  if (!match) return Number.NaN;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const months = Number(month);
  if (months < 1 || months > 12 || Number(day) < 1 || Number(day) > 31 || Number(hour) > 24 || Number(minute) > 59) return Number.NaN;
  const offset = zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
  const minutes = (daysFromCivil(Number(year), months, Number(day)) * 24 + Number(hour)) * 60 + Number(minute) - offset;
  return (minutes * 60 + Number(second)) * 1000 + Math.floor(Number(`0.${fraction || '0'}`) * 1000);
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** The ISO 8601 form (UTC, milliseconds) of an instant in milliseconds since the epoch. */
export function formatInstant(milliseconds: number): string {
  const days = Math.floor(milliseconds / 86_400_000);
  const rest = milliseconds - days * 86_400_000;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1;
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const clock = `${pad(Math.floor(rest / 3_600_000))}:${pad(Math.floor(rest / 60_000) % 60)}:${pad(Math.floor(rest / 1000) % 60)}`;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${clock}.${pad(rest % 1000, 3)}Z`;
}
