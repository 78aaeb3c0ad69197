import { cancelled } from '../errors';

/** Waits, or throws `CANCELLED` the moment the signal aborts. Zero does not wait at all. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(cancelled());
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Pieces as a model would send them: a few words each, never inside a character. A long text gets bigger pieces, so that it takes a few seconds at most. */
export function piecesOf(text: string): string[] {
  const size = Math.max(16, Math.ceil(text.length / 400));
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
