import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * The arrows between folders (design §2), as data. A folder may import itself and what is listed; everything else is a breach whose
 * message says what to do instead. `root` is '' for the repository and a fixture's folder for the canary.
 */
interface Arrow {
  folder: string;
  may: string[];
  instead: string;
}

const arrows: Arrow[] = [
  {
    folder: 'harness',
    may: ['node_modules/(zod|immer|@marcbachmann/cel-js)/'],
    instead: 'The harness is pure: take what you need through ExecuteContext or RunHost, or move the code to server/.',
  },
  {
    folder: 'nodes',
    may: ['harness/', 'node_modules/(zod|server-only|@cfworker/json-schema)/'],
    instead: 'A node adapts harness functions to ports: reach the world through ExecuteContext.',
  },
  {
    folder: 'components',
    may: [
      'nodes/catalog',
      'nodes/[^/]+/[^/]+/node\\.ts',
      'harness/(contract|flow|expression|state|compiler|trace)/',
      'node_modules/',
      '^monaco-editor/',
    ],
    instead: 'What ships to the browser sees the catalogue and the pure shapes only; ask the server through tRPC.',
  },
  {
    folder: 'app',
    may: ['components/', 'server/', 'nodes/catalog', 'harness/(contract|flow)/', 'node_modules/'],
    instead: 'Routes pick a component or a service; put logic there.',
  },
  { folder: 'server', may: ['harness/', 'nodes/', 'db/', 'node_modules/'], instead: 'The host knows no components and no routes.' },
  {
    folder: 'db',
    may: [
      'harness/(flow|trace|contract|engine|compiler|testing)/',
      'node_modules/(drizzle-orm|better-sqlite3|zod|vitest|fast-check)/',
      'node_modules/@types/better-sqlite3/',
    ],
    instead: 'Storage keeps shapes; decisions belong to server/.',
  },
];

/** Layer rules: checked with type imports counted. `import type` of the router is the one thing components take from the server. */
export const layerRules = (root = ''): IForbiddenRuleType[] =>
  arrows.map(({ folder, may, instead }) => {
    const own = `^${root}${folder}/`;
    const allowed = may.map((path) => (/^\^|^node_modules/.test(path) ? path : `^${root}${path}`));
    return {
      name: `${folder}-imports`,
      severity: 'error',
      comment: instead,
      from: { path: own, pathNot: '\\.test\\.tsx?$|/testing/' },
      to: {
        pathNot: [own, ...allowed, ...(folder === 'components' ? [`^${root}server/(trpc/router|api-types)\\.ts$`] : [])],
        ...(folder === 'harness' ? {} : { dependencyTypesNot: ['core'] }),
      },
    };
  });

/** Bundle rules: checked without type imports, because only values ship. */
export const bundleRules = (root = ''): IForbiddenRuleType[] => [
  {
    name: 'no-server-in-the-browser',
    severity: 'error',
    comment: 'An import that reaches server/, db/ or an executor would ship it to every browser. Use `import type`, or tRPC.',
    from: { path: `^${root}components/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: [`^${root}server/`, `^${root}db/`, `^${root}nodes/executors`, `^${root}nodes/.+/(execute|policy)\\.ts$`], reachable: true },
  },
  {
    name: 'no-circles',
    severity: 'error',
    comment: 'Two files that need each other are one idea, or hide a third one.',
    from: { path: `^${root}(harness|nodes|server|db)/` },
    to: { circular: true },
  },
];
