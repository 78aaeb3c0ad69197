import { expect, test } from 'vitest';
import { snapToNeighbours } from './guides';

const neighbour = { x: 100, y: 100, width: 200, height: 60 };

test('a box that is nearly level catches on its neighbour, and says on which line', () => {
  expect(snapToNeighbours({ x: 400, y: 103, width: 200, height: 60 }, [neighbour], 5)).toEqual({
    x: 400,
    y: 100,
    guideX: null,
    guideY: 100,
  });
});

test('middles catch too, when sizes differ', () => {
  const snap = snapToNeighbours({ x: 400, y: 108, width: 100, height: 40 }, [neighbour], 5);
  expect(snap.y + 20).toBe(130);
});

test('too far away nothing moves', () => {
  expect(snapToNeighbours({ x: 400, y: 207, width: 100, height: 100 }, [neighbour], 5)).toEqual({
    x: 400,
    y: 207,
    guideX: null,
    guideY: null,
  });
});
