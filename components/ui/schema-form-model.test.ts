import { describe, expect, it } from 'vitest';
import { defaultsOf, fieldsOf, problemsOf, withField } from './schema-form-model';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    tone: { enum: ['short', 'long'] },
    times: { type: 'integer', minimum: 1, default: 3 },
    notes: { type: 'string', maxLength: 4000 },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
    odd: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['name'],
};

describe('forms from JSON Schema', () => {
  it('has a widget for every field, JSON text where none fits', () => {
    expect(fieldsOf(schema).map((field) => field.widget)).toEqual(['text', 'choice', 'integer', 'long-text', 'list', 'group', 'json']);
  });

  it('names a missing field at its own place, nested ones too', () => {
    expect([...problemsOf(schema, { place: {} }).keys()].sort()).toEqual(['name', 'place.line']);
  });

  it('reports a wrong value at the field and not at each object around it', () => {
    const problems = problemsOf(schema, { name: 'a', place: { line: 'x' }, times: 0 });
    expect([...problems.keys()].sort()).toEqual(['place.line', 'times']);
  });

  it('does not throw on a schema that is no schema', () => {
    expect([...problemsOf({ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, { a: 1 }).keys()].length).toBeGreaterThanOrEqual(1);
  });

  it('starts from defaults and leaves the rest absent instead of empty', () => {
    expect(defaultsOf(schema)).toEqual({ times: 3 });
  });

  it('keeps a field called __proto__ a field', () => {
    const value = withField({}, '__proto__', 'x');
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
