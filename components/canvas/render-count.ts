/**
 * How often each card has rendered, for the browser test that moving one node renders no other (BR-72). A counter costs nothing; it is read through
 * `window.bridleRenders`.
 */
declare global {
  interface Window {
    bridleRenders?: Record<string, number>;
  }
}

export function countRender(id: string): void {
  if (typeof window === 'undefined' || !window.bridleRenders) return;
  window.bridleRenders[id] = (window.bridleRenders[id] ?? 0) + 1;
}
