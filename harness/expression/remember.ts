const capacity = 4_000;

/** The value under a key, computed once; the oldest entries go when there are too many. */
export function remember<Value>(cache: Map<string, Value>, key: string, compute: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  if (cache.size >= capacity) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      if (cache.size <= capacity / 2) break;
    }
  }
  cache.set(key, value);
  return value;
}
