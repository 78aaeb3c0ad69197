import { createRequire } from 'node:module';

const require = createRequire(new URL('../package.json', import.meta.url));

/** A package of `bench/package.json`, typed by what the benchmark uses of it. */
export async function peer<T>(name: string): Promise<T> {
  return require(name) as T;
}
