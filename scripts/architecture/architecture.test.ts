import { fileURLToPath } from 'node:url';
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleRules, layerRules } from './rules';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['app', 'components', 'nodes', 'harness', 'server', 'db'];
const canary = 'scripts/architecture/canary/';

async function check(where: string[], rules: IForbiddenRuleType[], withTypes: boolean): Promise<ICruiseResult> {
  const result = await cruise(
    where,
    {
      validate: true,
      ruleSet: { forbidden: rules },
      tsPreCompilationDeps: withTypes,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '\\.next/' },
      baseDir: root,
    },
    {
      alias: { '@': root.slice(0, -1) },
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
    { tsConfig: extractConfig(`${root}tsconfig.json`) },
  );
  if (typeof result.output === 'string') throw new Error('expected a result as data');
  return result.output;
}

const breaches = (result: ICruiseResult): string[] =>
  result.summary.violations.map((found) => {
    const rule = result.summary.ruleSetUsed?.forbidden?.find((candidate) => candidate.name === found.rule.name);
    const way = found.via ? ` by way of ${found.via.map((step) => step.name).join(' → ')}` : '';
    return `${found.rule.name}: ${found.from} → ${found.to}${way}. ${rule?.comment ?? ''}`;
  });

describe('arrows between folders', () => {
  let layers: ICruiseResult;
  let bundle: ICruiseResult;
  beforeAll(async () => {
    layers = await check(folders, layerRules(), true);
    bundle = await check(folders, bundleRules(), false);
  }, 120_000);

  test('every import follows an arrow of the design, type imports included', () => {
    expect(breaches(layers)).toEqual([]);
  });

  test('no server code can be reached from the browser, and no circles', () => {
    expect(breaches(bundle)).toEqual([]);
  });

  test('the check has really read the code: a parser that sees no modules would report no breach', () => {
    expect(layers.summary.totalCruised).toBeGreaterThan(300);
    expect(layers.summary.totalDependenciesCruised ?? 0).toBeGreaterThan(1000);
  });
});

describe('canary', () => {
  test('a harness that imports node, components that import an executor, and a circle are all reported', async () => {
    const layers = await check([canary], layerRules(canary), true);
    const bundle = await check([canary], bundleRules(canary), false);
    const names = new Set([...layers.summary.violations, ...bundle.summary.violations].map((found) => found.rule.name));
    expect([...names].sort()).toEqual(['components-imports', 'harness-imports', 'no-circles', 'no-server-in-the-browser']);
  }, 60_000);
});
