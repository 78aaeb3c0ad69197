import { expect, test } from 'vitest';
import { doubtful, routeSteering, steeringByRules, steeringSchema } from './steering';

const situation = { text: 'x', openTask: 't1', deferred: 'next-turn' as const };

test('a doubtful message cut into the work instead of waiting (INV-41)', () => {
  expect(steeringByRules('Quarterly figures')).toMatchObject({ scope: 'SAME_GOAL_NEW_TASK', urgency: 'deferred' });
  expect(routeSteering(doubtful('?'), situation)).toMatchObject({ destination: 'next-turn', handedBack: 'x' });
  expect(routeSteering(doubtful('?'), { ...situation, deferred: 'task' })).toMatchObject({ destination: 'task', handedBack: null });
});

test('a note without anybody to read it was dropped', () => {
  const note = steeringByRules('Also look at the tests');
  expect(routeSteering(note, situation)).toMatchObject({ destination: 'note', handedBack: null });
  expect(routeSteering(note, { ...situation, openTask: null })).toMatchObject({ destination: 'next-turn', handedBack: 'x' });
});

test('what was asked instead of the cancelled work got lost', () => {
  const steering = steeringByRules('Stop, and list the open issues');
  expect(steering).toMatchObject({ scope: 'CANCEL_CURRENT', instead: 'list the open issues' });
  expect(routeSteering(steering, situation)).toMatchObject({ destination: 'cancel', handedBack: 'list the open issues' });
  expect(routeSteering(steeringByRules('cancel'), situation)).toMatchObject({ destination: 'cancel', handedBack: null });
});

test('a word that only begins like a signal was taken for it', () => {
  expect(steeringByRules('stopwatch values please').scope).toBe('SAME_GOAL_NEW_TASK');
  expect(steeringByRules('Do not touch main.ts').addedConstraints).toEqual(['Do not touch main.ts']);
});

test('an immediate new task of the same goal waited, or a new goal cut in', () => {
  const steering = (scope: string, urgency: string) => steeringSchema.parse({ scope, urgency });
  expect(routeSteering(steering('SAME_GOAL_NEW_TASK', 'immediate'), situation).destination).toBe('note');
  expect(routeSteering(steering('NEW_GOAL', 'immediate'), { ...situation, deferred: 'task' }).destination).toBe('next-turn');
});
