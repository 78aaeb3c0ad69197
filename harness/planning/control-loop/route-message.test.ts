import { describe, expect, it } from 'vitest';
import { routeMessage } from './route-message';

const idle = { approval: 0, interrupt: 0 };
const words = { type: 'user_message', content: 'use sqlite' } as const;

describe('where a message goes', () => {
  it('is feedback before execution and an interrupt during it (L27)', () => {
    expect(routeMessage(words, { executing: false, waiting: idle }).destination).toBe('approval');
    expect(routeMessage(words, { executing: true, waiting: idle }).destination).toBe('interrupt');
  });

  it.each([
    ['approve', 'approval'],
    ['approve_tool', 'approval'],
    ['deny_tool', 'approval'],
    ['cancel', 'cancel'],
    ['disconnect', 'cancel'],
    ['ping', 'answer_pong'],
  ] as const)('%s goes to %s, executing or not', (type, destination) => {
    for (const executing of [true, false]) expect(routeMessage({ type }, { executing, waiting: idle }).destination).toBe(destination);
  });

  it('is refused, not dropped, when 1,000 wait; a cancel always gets through', () => {
    const full = { approval: 1000, interrupt: 999 };
    expect(routeMessage(words, { executing: false, waiting: full }).destination).toBe('refuse');
    expect(routeMessage(words, { executing: true, waiting: full }).destination).toBe('interrupt');
    expect(routeMessage({ type: 'cancel' }, { executing: false, waiting: full }).destination).toBe('cancel');
  });
});
