import { peer } from './load';

interface Actor {
  start(): Actor;
  send(event: { type: string }): void;
  subscribe(observer: { complete: () => void }): void;
}
interface Machines {
  createMachine(config: unknown): unknown;
  createActor(machine: unknown): Actor;
  fromPromise(work: () => Promise<unknown>): unknown;
  assign(change: unknown): unknown;
}

/** The same shapes as XState machines; every step is a promise actor, as ours is an awaited executor. Nothing is stored. */
export async function xstate(shape: 'chain' | 'loop' | 'fork'): Promise<() => Promise<void>> {
  const { createMachine, createActor, fromPromise, assign } = await peer<Machines>('xstate');
  const work = fromPromise(() => Promise.resolve(1));
  const invoke = (target: string) => ({ invoke: { src: work, onDone: target } });
  const machine = createMachine(shapeOf(shape, invoke, assign));
  return () =>
    new Promise<void>((resolve) => {
      const actor = createActor(machine);
      actor.subscribe({ complete: resolve });
      actor.start();
    });
}

function shapeOf(shape: string, invoke: (target: string) => { invoke: unknown }, assign: Machines['assign']): unknown {
  const steps = Array.from({ length: 10 }, (_, index) => index);
  if (shape === 'chain') {
    const states = Object.fromEntries(steps.map((index) => [`s${index}`, invoke(index === 9 ? 'end' : `s${index + 1}`)]));
    return { initial: 's0', states: { ...states, end: { type: 'final' } } };
  }
  if (shape === 'loop') {
    return {
      context: { count: 0 },
      initial: 's',
      states: {
        s: { ...invoke('again'), exit: assign({ count: ({ context }: { context: { count: number } }) => context.count + 1 }) },
        again: {
          always: [{ guard: ({ context }: { context: { count: number } }) => context.count < 1000, target: 's' }, { target: 'end' }],
        },
        end: { type: 'final' },
      },
    };
  }
  const branches = Object.fromEntries(
    steps.map((index) => [`b${index}`, { initial: 's', states: { s: invoke('done'), done: { type: 'final' } } }]),
  );
  return { initial: 'f', states: { f: { type: 'parallel', states: branches, onDone: 'end' }, end: { type: 'final' } } };
}
