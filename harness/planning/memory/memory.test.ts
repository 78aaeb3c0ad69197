import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addByPerson, curate, takeIn, takeInSession } from './curate';
import { retrievalConfigSchema, retrievalOf, retrieveMemories, scoreMemories } from './retrieve';
import { curationStatuses, type MemoryCandidate, type MemoryRow, memoryCategories, memoryRowSchema } from './row';
import { identicalContent, isSame } from './words';

let ids = 0;
const candidate = (content: string, more: Partial<MemoryCandidate> = {}): MemoryCandidate => ({
  id: `m${ids++}`,
  content,
  category: 'gotcha',
  tags: [],
  source_phase: 'execution',
  confidence: 0.5,
  ...more,
});
const row = (content: string, more: Partial<MemoryRow> = {}): MemoryRow =>
  memoryRowSchema.parse({ ...candidate(content), curation_status: 'user_confirmed', ...more });

const content = 'The password tokens are stored hashed, so compare digests.';
const query = 'Add a password reset that compares stored tokens';
const facts = { query, window: 200_000, now: 1000 };

describe('a memory on its way (L28)', () => {
  it('is not shown after two sightings, is promoted and shown with the third, and never comes back once rejected', () => {
    let { rows } = takeIn([], candidate(content));
    ({ rows } = takeIn(rows, candidate('Password tokens are stored hashed, so compare the digests')));
    expect(rows).toMatchObject([{ seen_count: 2, curation_status: 'auto' }]);
    expect(retrieveMemories(rows, facts, retrievalOf('phase_3')).rows).toEqual([]);

    const third = takeIn(rows, candidate(content));
    expect(third).toMatchObject({
      outcome: 'promoted',
      decision: { because: [{ value: 3, operator: '>=', threshold: 3, holds: true }, {}, {}] },
    });
    expect(retrieveMemories(third.rows, facts, retrievalOf('phase_3')).text).toBe(`- [gotcha] ${content}`);

    const rejected = curate(third.rows, third.row?.id ?? '', 'reject');
    expect(rejected).toMatchObject([{ curation_status: 'user_rejected', confidence: 0 }]);
    for (const again of [content, content.toUpperCase(), `  ${content.slice(0, -1)} `]) {
      const result = takeIn(rejected, candidate(again));
      expect(result.outcome).toBe('refused');
      expect(result.rows).toEqual(rejected);
    }
    expect(retrieveMemories(rejected, facts, retrievalOf('phase_3')).rows).toEqual([]);
  });

  it('counts on beyond promotion, and a confirmed one stays confirmed', () => {
    const confirmed = curate([row(content, { curation_status: 'auto' })], '', 'confirm');
    expect(confirmed[0]?.curation_status).toBe('auto');
    const [mine] = addByPerson([], candidate(content));
    expect(mine).toMatchObject({ curation_status: 'user_confirmed', confidence: 0.9 });
    expect(takeIn(mine === undefined ? [] : [mine], candidate(content))).toMatchObject({
      outcome: 'seen',
      row: { curation_status: 'user_confirmed', seen_count: 2 },
    });
  });

  it('begins anew after it was archived', () => {
    const archived = [row(content, { curation_status: 'superseded', seen_count: 9 })];
    expect(takeIn(archived, candidate(content))).toMatchObject({ outcome: 'added', row: { curation_status: 'auto', seen_count: 1 } });
  });

  it('is confirmed when a person writes it, also after they rejected it', () => {
    const rejected = [row(content, { curation_status: 'user_rejected', confidence: 0 })];
    expect(addByPerson(rejected, candidate(content))).toMatchObject([{ curation_status: 'user_confirmed', confidence: 0.9 }]);
  });

  it('is not taken from a cancelled session, and at most five from any other', () => {
    const many = ['alpha beta', 'gamma delta', 'epsilon zeta', 'eta theta', 'iota kappa', 'lambda mu'].map((text) => candidate(text));
    expect(takeInSession([], many, false).rows).toHaveLength(5);
    expect(takeInSession([], many, true)).toEqual({ rows: [], results: [] });
  });
});

describe('two memories that say the same', () => {
  it.each([
    ['Run the tests with node --test.', 'Tests are run with node --test'],
    ['The config file is loaded lazily.', 'Config files are loaded lazily'],
    ['use   SQLite', 'Use sqlite.'],
  ])('%s / %s', (left, right) => expect(isSame(left, right, 0.75)).toBe(true));

  it.each([
    ['The server listens on port 3000.', 'The server listens on port 4000.'],
    ['Always mock the database.', 'Never mock the database.'],
    ["Tests don't need a database.", 'Tests need a database.'],
    ['Edit src/auth.ts for login.', 'Edit src/user.ts for login.'],
    ['The linter is strict.', 'The formatter runs first.'],
    ['', 'x'],
  ])('but not: %s / %s', (left, right) => expect(isSame(left, right, 0.75)).toBe(false));

  it('is symmetric, and everything with a word is the same as itself', () => {
    const text = fc
      .array(fc.constantFrom('never', 'test', 'tests', 'port', '3000', 'a_b', "don't", 'the'), { maxLength: 8 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(isSame(left, right, 0.75)).toBe(isSame(right, left, 0.75));
        expect(isSame(left, left, 1)).toBe(true);
        if (identicalContent(left, right)) expect(isSame(left, right, 1)).toBe(true);
      }),
    );
  });
});

describe('what a phase is shown', () => {
  it('keeps to the categories and caps of the phase', () => {
    expect(retrievalOf('phase_1')).toMatchObject({ limit: 5, categories: null, windowShare: 0.02 });
    expect(retrievalOf('phase_3')).toMatchObject({ limit: 6, categories: ['gotcha', 'convention', 'rejection'] });
    expect(retrievalOf('fix_loop')).toMatchObject({ limit: 5, categories: ['fix_pattern', 'gotcha'] });
    const rows = [row(content, { category: 'build' }), row(content, { category: 'fix_pattern' })];
    expect(retrieveMemories(rows, facts, retrievalOf('fix_loop')).rows.map(({ category }) => category)).toEqual(['fix_pattern']);
    expect(retrieveMemories(rows, facts, retrievalOf('phase_3')).rows).toEqual([]);
    expect(retrieveMemories(rows, facts, retrievalOf('phase_1')).rows).toHaveLength(2);
  });

  it('leaves out what has expired, and what has nothing to do with the question', () => {
    const rows = [
      row(content, { expires_at: 1000 }),
      row(content, { expires_at: 1001, id: 'live' }),
      row('Colours come from tokens of the theme.', { id: 'x' }),
    ];
    expect(retrieveMemories([...rows], { ...facts, query: 'password' }, retrievalOf('phase_1')).rows.map(({ id }) => id)).toEqual(['live']);
    expect(retrieveMemories(rows, { ...facts, query: '' }, retrievalOf('phase_1')).rows).toEqual([]);
  });

  it('ranks the rarer word higher, and a name by its parts', () => {
    const rows = [
      row('tests tests', { id: 'a' }),
      row('tests with sqlite', { id: 'b' }),
      row('tests', { id: 'c' }),
      row('reset_password flow', { id: 'd' }),
    ];
    expect(scoreMemories(rows, 'sqlite tests')[0]?.row.id).toBe('b');
    expect(scoreMemories(rows, 'password')[0]?.row.id).toBe('d');
  });

  it('lets a short memory in where a long one does not fit', () => {
    const rows = [row(`password ${'token '.repeat(60)}`, { id: 'long' }), row('password hashing', { id: 'short' })];
    const found = retrieveMemories(rows, { query: 'password token', window: 1000, now: 0 }, retrievalOf('phase_1'));
    expect(found.rows.map(({ id }) => id)).toEqual(['short']);
    expect(found.text.length).toBeLessThanOrEqual(70);
  });

  it('never shows what is rejected, archived, merely seen, expired or of another category, and keeps cap and budget', () => {
    const words = fc
      .array(fc.constantFrom('password', 'token', 'reset', 'port', 'x'), { minLength: 1, maxLength: 20 })
      .map((each) => each.join(' '));
    const anyRow = fc.record({
      id: fc.uuid(),
      content: words,
      category: fc.constantFrom(...memoryCategories),
      curation_status: fc.constantFrom(...curationStatuses),
      seen_count: fc.integer({ min: 1, max: 9 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      tags: fc.array(fc.constantFrom('reset', 'x')),
      source_phase: fc.constant(''),
      expires_at: fc.option(fc.nat(20), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 30 }), fc.nat(4), fc.nat(5000), (rows, limit, window) => {
        const parsed = rows.map((each) => memoryRowSchema.parse(each));
        const config = retrievalConfigSchema.parse({ limit, categories: ['gotcha', 'convention'] });
        const found = retrieveMemories(parsed, { query: 'password reset', window, now: 10 }, config);
        expect(found.rows.length).toBeLessThanOrEqual(limit);
        expect(found.text.length).toBeLessThanOrEqual(window * 0.02 * 3.5);
        for (const { curation_status, category, expires_at } of found.rows) {
          expect(['high_confidence_auto', 'user_confirmed']).toContain(curation_status);
          expect(['gotcha', 'convention']).toContain(category);
          expect(expires_at ?? 11).toBeGreaterThan(10);
        }
      }),
    );
  });
});

describe('any course of sightings', () => {
  it('never makes a memory usable before its third sighting, and never loses a rejection', () => {
    const texts = ['alpha beta gamma', 'delta epsilon zeta', 'eta theta iota'];
    const act = fc.record({ text: fc.constantFrom(...texts), act: fc.constantFrom('see', 'reject', 'see') });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (course) => {
        let rows: MemoryRow[] = [];
        const seen = new Map<string, number>();
        const rejected = new Set<string>();
        for (const step of course) {
          if (step.act === 'see') {
            ({ rows } = takeIn(rows, candidate(step.text)));
            seen.set(step.text, (seen.get(step.text) ?? 0) + 1);
            continue;
          }
          const target = rows.find((each) => each.content === step.text);
          if (target === undefined) continue;
          rows = curate(rows, target.id, 'reject');
          rejected.add(step.text);
        }
        for (const text of texts) {
          const found = rows.filter((each) => each.content === text);
          expect(found.length).toBeLessThanOrEqual(1);
          if (rejected.has(text)) expect(found[0]?.curation_status).toBe('user_rejected');
          else if (found[0]?.curation_status === 'high_confidence_auto') expect(seen.get(text)).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });
});
