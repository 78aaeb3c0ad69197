/** A cycle in a graph of names, as the names along it; `null` when there is none. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  for (const root of edges.keys()) {
    if (done.has(root)) continue;
    // Walked with an explicit stack: a chain of ten thousand tasks must not exhaust the call stack.
    const path: string[] = [root];
    const onPath = new Set(path);
    const cursors = [0];
    while (path.length > 0) {
      const node = path.at(-1) ?? '';
      const next = edges.get(node)?.[cursors.at(-1) ?? 0];
      if (next === undefined) {
        done.add(node);
        onPath.delete(node);
        path.pop();
        cursors.pop();
        continue;
      }
      cursors[cursors.length - 1] = (cursors.at(-1) ?? 0) + 1;
      if (onPath.has(next)) return path.slice(path.indexOf(next));
      if (done.has(next) || !edges.has(next)) continue;
      path.push(next);
      onPath.add(next);
      cursors.push(0);
    }
  }
  return null;
}
