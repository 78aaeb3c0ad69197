import type { CheckId } from './config';

/** How the findings of V1 to V7 begin, so that a re-run can replace its own and leave others alone. */
const beginnings: readonly (readonly [CheckId, string | RegExp])[] = [
  ['V1', 'invented path: '],
  ['V2', 'uncovered missing file: '],
  ['V3', 'edit_file on unknown-to-modify path: '],
  ['V3', 'create_file on unknown-to-create path: '],
  ['V3', 'path is both created and edited: '],
  ['V4', /^step -?\d+ uses a tool that is not allowed: /],
  ['V5', 'test step path outside test convention: '],
  ['V6', 'affected file has no test coverage: '],
  ['V7', 'core-functionality tag missing regression test: '],
];

/** The check that a warning on a plan came from; `null` for one of another origin. */
export const checkOfWarning = (warning: string): CheckId | null =>
  beginnings.find(([, start]) => (typeof start === 'string' ? warning.startsWith(start) : start.test(warning)))?.[0] ?? null;
