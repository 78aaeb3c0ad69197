import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../contract/json';
import { draw } from '../testing/draw';
import { planOfDocument, startWith, TestWorld } from '../testing/test-host';
import { RunDriver } from './driver';

/** A piece of a flow with one way in and one way out. */
type Piece =
  | { kind: 'nap'; ms: number }
  /** Its token ends here, although an edge leads on. */
  | { kind: 'dead' }
  | { kind: 'fails' }
  | { kind: 'row'; parts: Piece[] }
  | { kind: 'fork'; branches: Piece[]; mode: 'all' | 'any' | 'n'; count: number; losers: 'cancel' | 'finish' };

const pieces = (modes: ('all' | 'any' | 'n')[]) =>
  fc.letrec<{ piece: Piece }>((tie) => ({
    piece: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ kind: fc.constant('nap' as const), ms: fc.integer({ min: 0, max: 30 }) }),
      fc.constant({ kind: 'dead' as const }),
      fc.constant({ kind: 'fails' as const }),
      fc.record({ kind: fc.constant('row' as const), parts: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        kind: fc.constant('fork' as const),
        branches: fc.array(tie('piece'), { minLength: 2, maxLength: 4 }),
        mode: fc.constantFrom(...modes),
        count: fc.integer({ min: 1, max: 4 }),
        losers: fc.constantFrom('cancel' as const, 'finish' as const),
      }),
    ),
  })).piece;

/** Draws a piece and says what must come of it if every join waits for all. */
class Sketch {
  readonly nodes: Record<string, string | [string, Record<string, Json>]> = { s: 'start', z: 'end' };
  readonly edges: string[] = [];
  /** Whether each node is reached at all. */
  readonly reached = new Map<string, boolean>([
    ['s', true],
    ['z', false],
  ]);
  private count = 0;

  constructor(piece: Piece) {
    const { exit, alive } = this.add(piece, 's', true);
    this.edges.push(`${exit}>z`);
    this.reached.set('z', alive);
  }

  private node(type: string, config: Record<string, Json>, alive: boolean): string {
    this.count += 1;
    const id = `${type}${this.count}`;
    this.nodes[id] = [type, config];
    this.reached.set(id, alive);
    return id;
  }

  /** `from` is where the edge into the piece leaves from; the answer is where the one out of it does. */
  private add(piece: Piece, from: string, alive: boolean): { exit: string; alive: boolean } {
    switch (piece.kind) {
      case 'nap': {
        const id = this.node('nap', { ms: piece.ms }, alive);
        this.edges.push(`${from}>${id}`);
        return { exit: id, alive };
      }
      case 'dead': {
        const id = this.node('branch', { when: 'false' }, alive);
        this.edges.push(`${from}>${id}`);
        return { exit: `${id}.yes`, alive: false };
      }
      case 'fails': {
        const id = this.node('fail', {}, alive);
        this.edges.push(`${from}>${id}`);
        return { exit: id, alive: false };
      }
      case 'row': {
        let at = { exit: from, alive };
        for (const part of piece.parts) at = this.add(part, at.exit, at.alive);
        return at;
      }
      default: {
        const ports = piece.branches.map((_, index) => `p${index}`);
        const fork = this.node('fork', { branches: ports }, alive);
        this.edges.push(`${from}>${fork}`);
        const ends = piece.branches.map((branch, index) => this.add(branch, `${fork}.p${index}`, alive));
        const some = ends.some((end) => end.alive);
        const join = this.node('join', { mode: piece.mode, count: Math.min(piece.count, ports.length), losers: piece.losers }, some);
        for (const end of ends) this.edges.push(`${end.exit}>${join}`);
        return { exit: join, alive: some };
      }
    }
  }
}

async function play(sketch: Sketch) {
  const world = new TestWorld();
  const driver = new RunDriver(
    planOfDocument(draw({ nodes: sketch.nodes, edges: sketch.edges, caps: { steps: 5000 } })),
    world.host(),
    'run',
  );
  await driver.start(startWith(null));
  for (let round = 0; round < 400 && driver.snapshot.status === 'running'; round += 1) {
    await world.settle();
    const next = world.clock.untilNext();
    if (driver.snapshot.status === 'running' && next !== null) world.clock.advance(next);
  }
  const visits = new Map<string, number>();
  const open = new Set<string>();
  for (const event of world.events) {
    if (event.kind === 'visit-start') {
      visits.set(event.nodeId ?? '', (visits.get(event.nodeId ?? '') ?? 0) + 1);
      open.add(event.visit ?? '');
    }
    if (event.kind === 'visit-end') open.delete(event.visit ?? '');
  }
  return { status: driver.snapshot.status, visits, open, limited: world.events.some((event) => event.kind === 'limit-reached') };
}

const options = { numRuns: 60 };

describe('forks and joins drawn at random', () => {
  test('a join of all fired twice, waited for a dead branch, or a token was lost', async () => {
    await fc.assert(
      fc.asyncProperty(pieces(['all']), async (piece) => {
        const sketch = new Sketch(piece);
        const { status, visits, open, limited } = await play(sketch);
        expect(limited).toBe(false);
        expect(status).toBeOneOf(['succeeded', 'failed', 'incomplete']);
        expect([...open]).toEqual([]);
        for (const [id, reached] of sketch.reached) expect([id, visits.get(id) ?? 0]).toEqual([id, reached ? 1 : 0]);
      }),
      options,
    );
  });

  test('a join of some fired twice, never, or held the run', async () => {
    await fc.assert(
      fc.asyncProperty(pieces(['all', 'any', 'n']), async (piece) => {
        const sketch = new Sketch(piece);
        const { status, visits, open, limited } = await play(sketch);
        expect(limited).toBe(false);
        expect(status).toBeOneOf(['succeeded', 'failed', 'incomplete']);
        expect([...open]).toEqual([]);
        expect(visits.get('z') ?? 0).toBe(sketch.reached.get('z') === true ? 1 : 0);
        for (const [id, count] of visits) expect([id, count <= 1, sketch.reached.get(id)]).toEqual([id, true, true]);
      }),
      options,
    );
  });
});
