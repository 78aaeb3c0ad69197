import fc from 'fast-check';
import type { FlowDocument } from '../flow/schema';
import { flowDocumentSchema } from '../flow/schema';
import { drawFlow } from './draw-flow';
import { testCatalogue } from './test-catalogue';

const ids = ['a', 'a_2', 'b', 'Set', 'Set 1', 'Set1', "Call 'x'", 'a"b\\c', 'œ', '名前'];
const types = [...testCatalogue.nodes.keys(), 'gone'];
const reference = fc.constantFrom(...ids).map((id) => `{{ nodes[${JSON.stringify(id)}].text }}`);
const config = fc.record(
  { text: fc.oneof(fc.string(), reference), when: fc.constantFrom('', 'a.text', 'b'), extra: fc.jsonValue({ maxDepth: 2 }) },
  { requiredKeys: [] },
);
const place = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) });

const nodes = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...ids),
    type: fc.constantFrom(...types),
    config,
    parent: fc.option(fc.constantFrom(...ids), { nil: undefined }),
    place,
  }),
  { selector: ({ id }) => id, maxLength: ids.length },
);
const edges = fc.array(
  fc.record({
    source: fc.constantFrom(...ids),
    target: fc.constantFrom(...ids),
    port: fc.constantFrom('next', 'a', 'else', 'error'),
    kind: fc.constantFrom<'flow' | 'attach'>('flow', 'attach'),
    cap: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  { maxLength: 14 },
);

/** Any flow that can be imported: odd ids, unknown types, edges that do not hold, parents that do not lead in a circle. */
export const anyFlow: fc.Arbitrary<FlowDocument> = fc.tuple(nodes, edges).map(([drawn, lines]) => {
  // a node may stand only in one that comes before it, so no circle can close
  const sketch = drawn.map(({ id, type, config: settings, parent }, index) => ({
    id,
    type,
    typeVersion: 1,
    label: id,
    config: JSON.parse(JSON.stringify(settings).replaceAll(/"(?:__proto__|constructor|prototype)":/g, '"key":')),
    ...(parent !== undefined && drawn.findIndex((other) => other.id === parent) < index && drawn.some((other) => other.id === parent)
      ? { parent }
      : {}),
  }));
  return flowDocumentSchema.parse({
    ...drawFlow({ nodes: {} }),
    nodes: sketch,
    edges: lines.map(({ source, target, port, kind, cap }, index) => ({
      id: `e${index}`,
      kind,
      source,
      target,
      ...(kind === 'flow' ? { port } : {}),
      ...(cap === undefined ? {} : { maxTraversals: cap }),
    })),
    layout: { nodes: Object.fromEntries(drawn.map(({ id, place: at }) => [id, at])) },
  });
});
