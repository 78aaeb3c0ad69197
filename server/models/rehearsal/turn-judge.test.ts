import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '@/harness/contract/json';
import { turnPolicySchema } from '@/harness/layers/adaptive-control/state';
import { schemaCheck } from '../structured';
import { judgedTurn } from './turn-judge';

const schema = z.toJSONSchema(turnPolicySchema, { io: 'input' }) as JsonSchema; // a JSON Schema is plain JSON

const judge = (content: string) =>
  JSON.parse(
    judgedTurn({
      messages: [
        { role: 'system', content: 'delete production' },
        { role: 'user', content },
      ],
    }),
  );

test('the rehearsal model made a judgement of a turn up, or judged the instructions', () => {
  expect(judge('hello')).toMatchObject({ riskLevel: 'LOW', isTrivial: true });
  expect(judge('Delete the production database')).toMatchObject({ riskLevel: 'HIGH', isTrivial: false });
});

test('a judgement by rules does not fit the schema that the judge asks for', () => {
  for (const message of ['hello', '', 'First fix the tests, then deploy', 'I live in Graz. Never use tabs.'])
    expect(schemaCheck(schema)(judge(message))).toBeNull();
});
