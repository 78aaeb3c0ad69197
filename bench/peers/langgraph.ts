import { peer } from './load';

type Shape = 'chain' | 'loop' | 'fork';

interface GraphModule {
  Annotation: ((options?: unknown) => unknown) & { Root: (shape: Record<string, unknown>) => unknown };
  StateGraph: new (state: unknown) => Builder;
  START: string;
  END: string;
}
interface Builder {
  addNode(name: string, work: (state: { value: number }) => unknown): Builder;
  addEdge(from: string | string[], to: string): Builder;
  addConditionalEdges(from: string, choose: (state: { value: number }) => string): Builder;
  compile(options?: { checkpointer?: unknown }): { invoke(input: unknown, config: unknown): Promise<unknown> };
}

/** The same shapes in LangGraph.js: a node adds one, a loop asks its state, a fork joins by a list of sources. */
function build({ Annotation, StateGraph, START, END }: GraphModule, shape: Shape): Builder {
  const state = Annotation.Root({ value: Annotation({ reducer: (_a: number, b: number) => b, default: () => 0 }) });
  const graph = new StateGraph(state);
  const step = (given: { value: number }) => ({ value: given.value + 1 });
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  if (shape === 'loop') {
    return graph
      .addNode('s', step)
      .addNode('again', (given) => ({ value: given.value }))
      .addEdge(START, 's')
      .addEdge('s', 'again')
      .addConditionalEdges('again', (given) => (given.value < 1000 ? 's' : END));
  }
  for (const name of names) graph.addNode(name, step);
  if (shape === 'chain') {
    graph.addEdge(START, 's0');
    for (let index = 0; index < 9; index += 1) graph.addEdge(`s${index}`, `s${index + 1}`);
    return graph.addEdge('s9', END);
  }
  graph.addNode('f', (given) => ({ value: given.value })).addNode('j', (given) => ({ value: given.value }));
  graph.addEdge(START, 'f');
  for (const name of names) graph.addEdge('f', name);
  return graph.addEdge(names, 'j').addEdge('j', END);
}

export async function langGraph(shape: Shape, databaseFile: string | null): Promise<() => Promise<void>> {
  const module = await peer<GraphModule>('@langchain/langgraph');
  let checkpointer: unknown;
  if (databaseFile !== null) {
    const { SqliteSaver } = await peer<{ SqliteSaver: { fromConnString(file: string): unknown } }>(
      '@langchain/langgraph-checkpoint-sqlite',
    );
    checkpointer = SqliteSaver.fromConnString(databaseFile);
  }
  const app = build(module, shape).compile(checkpointer === undefined ? {} : { checkpointer });
  let thread = 0;
  return async () => {
    thread += 1;
    await app.invoke({ value: 0 }, { recursionLimit: 10_000, configurable: { thread_id: String(thread) } });
  };
}
