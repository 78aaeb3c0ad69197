import { peer } from './load';

interface Rivet {
  coreRunGraph(project: unknown, options: unknown): Promise<unknown>;
}

const node = (id: string, type: string, data: unknown) => ({ id, type, title: id, data, visualData: { x: 0, y: 0, width: 100 } });
const wire = (from: string, output: string, to: string, input: string) => ({
  outputNodeId: from,
  outputId: output,
  inputNodeId: to,
  inputId: input,
});

/** Chain and fork of text nodes in Rivet, which has no loop edge of the kind the others have. Nothing is stored. */
export async function rivet(shape: 'chain' | 'fork'): Promise<() => Promise<void>> {
  const { coreRunGraph } = await peer<Rivet>('@ironclad/rivet-node');
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const nodes = names.map((name, index) => node(name, 'text', { text: shape === 'chain' && index === 0 ? 'go' : '{{input}}' }));
  const connections =
    shape === 'chain'
      ? names.slice(1).map((name, index) => wire(`s${index}`, 'output', name, 'input'))
      : names.map((name) => wire('f', 'output', name, 'input'));
  if (shape === 'fork') {
    nodes.push(node('f', 'text', { text: 'go' }), node('j', 'text', { text: names.map((name) => `{{${name}}}`).join('') }));
    connections.push(...names.map((name) => wire(name, 'output', 'j', name)));
  }
  const graph = { metadata: { id: 'graph', name: 'graph', description: '' }, nodes, connections };
  const project = { metadata: { id: 'project', title: 'bench', description: '', mainGraphId: 'graph' }, graphs: { graph }, plugins: [] };
  return async () => {
    await coreRunGraph(project, { graph: 'graph', inputs: {}, openAiKey: '' });
  };
}
