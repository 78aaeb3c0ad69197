import type { CommandPurpose, Suggestion } from './command-purpose';
import type { WorkspaceFacts } from './workspace-facts';

const scripts: Record<CommandPurpose, readonly string[]> = {
  syntax: ['syntax', 'lint', 'typecheck', 'type-check', 'types', 'tsc'],
  lint: ['lint', 'eslint', 'typecheck', 'type-check', 'types'],
  lint_fix: ['lint:fix', 'lint-fix', 'fix'],
  format: ['format', 'fmt', 'format:write', 'prettier'],
  unit: ['test:unit', 'unit', 'test'],
  integration: ['test:integration', 'integration', 'test:int', 'integration-test', 'test:e2e', 'e2e'],
};

/** What `npm init` writes as the test script. It tests nothing, and fails. */
const placeholder = /^echo "Error: no test specified" && exit 1$/;
const testFile = /\.test\.[cm]?js$/;
/** Without an argument `node --test` looks for these by itself, in every folder but node_modules. */
const nodeTestFile = /(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[.\-_]test)\.[cm]?js$/;

async function packageManager(facts: WorkspaceFacts): Promise<string> {
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const;
  for (const [lock, program] of locks) if (facts.has(lock) && (await facts.runnable(program))) return program;
  return 'npm';
}

/** What package.json and the test files of a JavaScript project suggest. */
export async function* packageCommands(purpose: CommandPurpose, facts: WorkspaceFacts): AsyncGenerator<Suggestion> {
  const manifest = await facts.json('package.json');
  if (manifest === 'broken') yield { remark: 'package.json is not a JSON object' };
  else if (manifest !== null) {
    const declared = scriptsOf(manifest);
    const manager = await packageManager(facts);
    for (const name of scripts[purpose]) {
      const text = declared.get(name);
      if (text === undefined) continue;
      if (placeholder.test(text.trim())) {
        yield { remark: `the "${name}" script of package.json is npm's placeholder` };
        continue;
      }
      yield { command: `${manager} run ${manager === 'npm' ? '-s ' : ''}${name}`, because: `package.json has a script "${name}"` };
    }
  }
  if (purpose === 'unit') {
    const tests = facts.files.filter((path) => nodeTestFile.test(path));
    const first = tests.find((path) => testFile.test(path)) ?? tests[0];
    if (first !== undefined) yield { command: 'node --test', because: `there are test files such as ${first}` };
  }
  if (purpose === 'format' && facts.files.some((path) => /^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.[cm]?[jt]s)$/.test(path))) {
    yield { command: 'node_modules/.bin/prettier --write .', because: 'prettier is configured' };
  }
  if (purpose === 'format' && (facts.has('biome.json') || facts.has('biome.jsonc'))) {
    yield { command: 'node_modules/.bin/biome format --write .', because: 'Biome is configured' };
  }
}

function scriptsOf(manifest: Readonly<Record<string, unknown>>): Map<string, string> {
  const { scripts: declared } = manifest;
  const entries = typeof declared === 'object' && declared !== null ? Object.entries(declared) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== ''));
}
