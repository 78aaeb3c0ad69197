import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLanes } from '@/harness/trace/views/lanes';
import { longLog } from '@/harness/trace/views/test-log';
import { indexTrace } from '@/harness/trace/views/trace-index';
import { barAt, barHeight, boxOf, domainOf, fromPixels, layoutLanes, neighbourBar, toPixels } from './lane-layout';
import { axisMarks, clampWindow, panWindow, revealInWindow, timeMark, zoomWindow } from './lane-window';

const domain = { from: 1_000, to: 51_000 };
const window = fc
  .tuple(fc.integer({ min: 1_000, max: 50_000 }), fc.integer({ min: 2, max: 50_000 }))
  .map(([from, length]) => clampWindow({ from, to: from + length }, domain));

describe('zoom and pan', () => {
  it('never leaves the run and never turns inside out', () => {
    const move = fc.oneof(
      fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.integer({ min: 1_000, max: 51_000 })),
      fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.constant(null)),
    );
    fc.assert(
      fc.property(window, fc.array(move, { maxLength: 20 }), (start, moves) => {
        let now = start;
        for (const [amount, anchor] of moves) {
          now =
            anchor === null
              ? panWindow(now, domain, amount)
              : zoomWindow(now, domain, amount, Math.min(Math.max(anchor, now.from), now.to));
          expect(now.from).toBeGreaterThanOrEqual(domain.from - 1e-6);
          expect(now.to).toBeLessThanOrEqual(domain.to + 1e-6);
          expect(now.to - now.from).toBeGreaterThanOrEqual(2 - 1e-6);
        }
      }),
      { seed: 9 },
    );
  });

  it('keeps what is under the pointer in place (zoom that runs away from the cursor)', () => {
    const before = { from: 20_000, to: 30_000 };
    const after = zoomWindow(before, domain, 2, 22_500);
    expect(toPixels(22_500, after, 800)).toBeCloseTo(toPixels(22_500, before, 800));
    expect(fromPixels(toPixels(22_500, after, 800), after, 800)).toBeCloseTo(22_500);
  });

  it('moves to what was selected outside of the window, and not at all when it is in it', () => {
    const shown = { from: 20_000, to: 30_000 };
    expect(revealInWindow(shown, domain, { from: 21_000, to: 22_000 })).toBe(shown);
    const moved = revealInWindow(shown, domain, { from: 40_000, to: 40_100 });
    expect(moved.from).toBeLessThan(40_000);
    expect(moved.to).toBeGreaterThan(40_100);
  });

  it('puts marks on round values only', () => {
    const { marks, step } = axisMarks({ from: 130, to: 4_870 }, 900);
    expect(step).toBe(500);
    expect(marks).toEqual([500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500]);
  });
});

describe('marks of the time axis', () => {
  it('writes neighbouring marks differently at every zoom (a ruler that says 5 s twice)', () => {
    const start = fc.integer({ min: 0, max: 8_000_000 });
    fc.assert(
      fc.property(start, fc.integer({ min: 4, max: 4_000_000 }), (from, length) => {
        const { marks, step } = axisMarks({ from, to: from + length }, 900);
        const words = marks.map((mark) => timeMark(mark, step));
        expect(new Set(words).size).toBe(words.length);
      }),
      { seed: 21 },
    );
    expect([timeMark(250, 50), timeMark(5_050, 50), timeMark(65_000, 5_000), timeMark(3_661_000, 1_000)]).toEqual([
      '250 ms',
      '5.05 s',
      '1:05',
      '1:01:01',
    ]);
  });
});

describe('bars on screen', () => {
  const index = indexTrace(longLog(40));
  for (const axis of ['time', 'order'] as const) {
    it(`finds the bar that was drawn under the pointer (${axis})`, () => {
      const view = buildLanes(index, { axis });
      const layout = layoutLanes(view);
      const place = { window: domainOf(view), width: 8_000 };
      for (const row of layout.rows) {
        for (const bar of row.lane.bars) {
          const box = boxOf(bar, row, view, place);
          const found = barAt(layout, view, place, { x: box.x + box.width / 2, y: box.y + barHeight / 2 });
          expect(found?.visit.id).toBe(bar.visit.id);
        }
      }
    });
  }

  it('reaches every visit with the arrow keys', () => {
    const layout = layoutLanes(buildLanes(index, { axis: 'order' }));
    let bar = neighbourBar(layout, null, 'right');
    const seen: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      seen.push(bar?.visit.order ?? -1);
      bar = neighbourBar(layout, bar, 'right');
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });
});
