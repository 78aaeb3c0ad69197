import type { APIRequestContext } from '@playwright/test';

/** The app's own API, for what a test needs beforehand and for what the page must not show. */
export interface Api {
  /** A mutation. Throws with the server's own message when it refuses. */
  call<T>(procedure: string, input?: unknown): Promise<T>;
  query<T>(procedure: string, input?: unknown): Promise<T>;
}

interface Answer {
  result?: { data: unknown };
  error?: { message: string; data: unknown };
}

async function resultOf<T>(response: { json(): Promise<unknown> }, procedure: string): Promise<T> {
  // as: the envelope is tRPC's own and the same for every procedure
  const answer = (await response.json()) as Answer;
  if (answer.error) throw new Error(`${procedure}: ${answer.error.message}`);
  // as: the caller names the shape it reads; a wrong one fails at its first expectation
  return answer.result?.data as T;
}

export const apiOf = (request: APIRequestContext, base = ''): Api => ({
  call: async (procedure, input) => resultOf(await request.post(`${base}/api/trpc/${procedure}`, { data: input ?? {} }), procedure),
  query: async (procedure, input) =>
    resultOf(
      await request.get(`${base}/api/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`),
      procedure,
    ),
});

export interface RunView {
  id: string;
  status: string;
  output?: unknown;
  flowId: string;
  usage: { steps: number };
}

export interface EventView {
  seq: number;
  kind: string;
  nodeId?: string;
  [field: string]: unknown;
}

/** Every event of a run, page by page. */
export async function eventsOf(api: Api, id: string): Promise<EventView[]> {
  const all: EventView[] = [];
  for (;;) {
    const page = await api.query<{ events: EventView[] }>('runs.events', { id, after: all.at(-1)?.seq ?? 0, limit: 5000 });
    all.push(...page.events);
    if (page.events.length < 5000) return all;
  }
}
