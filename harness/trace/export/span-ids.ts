/** 32-bit FNV-1a over UTF-16 code units, from a seed, finished by a mixing step so that near texts give far ids. */
function hash32(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hex = (text: string, words: number): string => {
  const digits = Array.from({ length: words }, (_, i) =>
    hash32(text, i * 0x9e3779b9)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  // OpenTelemetry holds an id of zeros for invalid.
  return /^0+$/.test(digits) ? `${digits.slice(0, -1)}1` : digits;
};

/** 16 bytes: the same run has the same trace id in every export. */
export const traceIdOf = (runId: string): string => hex(runId, 4);
/** 8 bytes: `part` names the span within its run. */
export const spanIdOf = (runId: string, part: string): string => hex(`${runId}\n${part}`, 2);
