import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from './config';

export interface Delivery {
  id: string;
  url: string;
  body: string;
  /** Attempts made so far. */
  attempts: number;
  /** Not before this time, in milliseconds since the epoch. */
  dueAt: number;
}

const queued = join(config.dataFolder, 'queue');
const dead = join(config.dataFolder, 'dead');

export async function open(): Promise<void> {
  await mkdir(queued, { recursive: true });
  await mkdir(dead, { recursive: true });
}

/** Writes to a temporary name first, so that a crash never leaves half a delivery behind. */
export async function put(delivery: Delivery): Promise<void> {
  const file = join(queued, `${delivery.id}.json`);
  await writeFile(`${file}.tmp`, JSON.stringify(delivery));
  await rename(`${file}.tmp`, file);
}

export async function due(now: number): Promise<Delivery[]> {
  const names = (await readdir(queued)).filter((name) => name.endsWith('.json'));
  const all = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(queued, name), 'utf8')) as Delivery));
  return all.filter((delivery) => delivery.dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
}

export const done = (id: string): Promise<void> => rm(join(queued, `${id}.json`), { force: true });

export const bury = (id: string): Promise<void> => rename(join(queued, `${id}.json`), join(dead, `${id}.json`));
