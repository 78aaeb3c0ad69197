import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@/harness/contract/json';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { type Environment, readEnvironment } from '../env';
import { createHost, type Host, type HostOptions } from '../host/host';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'bridle-host-'));

/** A real host over a folder of its own; nothing of the machine's environment reaches it, and no Ollama is found. */
export function temporaryHost(options: { folder?: string; variables?: Record<string, string> } & Partial<HostOptions> = {}) {
  const { folder = temporaryFolder(), variables = {}, ...rest } = options;
  const environment: Environment = readEnvironment({ BRIDLE_DATA_DIR: folder, OLLAMA_HOST: '127.0.0.1:9', ...variables });
  const host = createHost({ environment, ...rest });
  const close = async () => {
    await host.close();
    for (const place of [folder, `${folder}-work`]) rmSync(place, { recursive: true, force: true });
  };
  return { host, folder, close };
}

interface Step {
  id: string;
  type: string;
  config?: JsonObject;
}

/** A flow of one line: input, the steps in order, output. */
export function lineOf(id: string, steps: readonly Step[]): FlowDocument {
  const nodes = [{ id: 'input', type: 'input' }, ...steps, { id: 'output', type: 'output' }];
  return flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id,
    name: `Line ${id}`,
    nodes: nodes.map((node) => ({ typeVersion: 1, label: node.id, config: {}, ...node })),
    edges: nodes.slice(1).map((node, index) => ({
      id: `e${index}`,
      kind: 'flow',
      source: nodes[index]?.id,
      port: nodes[index]?.type === 'human-gate' ? 'approved' : 'next',
      target: node.id,
    })),
  });
}

/** Stores a line of steps as a flow and returns its id. */
export function storeLine(host: Host, steps: readonly Step[]): string {
  const { id } = host.services.flows.create({ name: 'Test' });
  host.services.flows.save(id, lineOf(id, steps), 1);
  return id;
}

const longestWait = 10_000;

/** Polls until it holds; throws with what was looked at last when it never does. */
export async function until<T>(look: () => T, holds: (value: T) => boolean, wait = longestWait): Promise<T> {
  const end = Date.now() + wait;
  for (;;) {
    const value = look();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`It never came true; last seen: ${JSON.stringify(value)?.slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
