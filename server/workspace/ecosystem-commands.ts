import type { CommandPurpose, Suggestion } from './command-purpose';
import type { WorkspaceFacts } from './workspace-facts';

type Commands = Partial<Record<CommandPurpose, readonly string[]>>;

/** A kind of project: how it is known, and its usual commands, best first. */
interface Ecosystem {
  known: (facts: WorkspaceFacts) => string | null | Promise<string | null>;
  commands: (facts: WorkspaceFacts) => Commands | Promise<Commands>;
}

const firstOf =
  (...names: readonly string[]) =>
  (facts: WorkspaceFacts): string | null =>
    names.find((name) => facts.has(name)) ?? null;

const ending =
  (pattern: RegExp) =>
  (facts: WorkspaceFacts): string | null =>
    facts.files.find((path) => pattern.test(path)) ?? null;

const pythonTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

const python: Ecosystem = {
  known: async (facts) => {
    const manifest = firstOf('pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'setup.py', 'requirements.txt')(facts);
    return manifest ?? ending(/\.py$/)(facts);
  },
  async commands(facts) {
    const settings = `${(await facts.text('pyproject.toml')) ?? ''}\n${(await facts.text('setup.cfg')) ?? ''}`;
    // A virtual environment is not listed (its files are made), so it is asked for by its path.
    const own = (await facts.runnable('.venv/bin/python')) ? ['.venv/bin/python -m pytest -q'] : [];
    const tests = facts.files.some((path) => pythonTest.test(path));
    const integration = ['tests/integration', 'test/integration'].find((at) => facts.files.some((path) => path.startsWith(`${at}/`)));
    const ruff = settings.includes('[tool.ruff') || facts.has('ruff.toml') || facts.has('.ruff.toml');
    return {
      ...(tests ? { unit: [...own, 'pytest -q', 'python3 -m unittest discover'] } : {}),
      ...(integration === undefined ? {} : { integration: [`pytest -q ${integration}`] }),
      ...(ruff ? { lint: ['ruff check .'], lint_fix: ['ruff check --fix .'], format: ['ruff format .'] } : {}),
      ...(!ruff && (settings.includes('[flake8]') || facts.has('.flake8')) ? { lint: ['flake8'] } : {}),
      ...(!ruff && settings.includes('[tool.black') ? { format: ['black .'] } : {}),
    };
  },
};

const rust: Ecosystem = {
  known: firstOf('Cargo.toml'),
  commands: () => ({
    syntax: ['cargo check'],
    lint: ['cargo clippy', 'cargo check'],
    unit: ['cargo test'],
    format: ['cargo fmt'],
  }),
};

const golang: Ecosystem = {
  known: firstOf('go.mod'),
  commands: () => ({ syntax: ['go vet ./...'], lint: ['go vet ./...'], unit: ['go test ./...'], format: ['gofmt -w .'] }),
};

const php: Ecosystem = {
  known: firstOf('composer.json'),
  async commands(facts) {
    const manifest = await facts.json('composer.json');
    const declared = manifest !== null && manifest !== 'broken' && typeof manifest.scripts === 'object' ? manifest.scripts : null;
    const script = (name: string) => (declared !== null && name in declared ? [`composer run-script ${name}`] : []);
    return {
      unit: [...script('test'), 'vendor/bin/phpunit'],
      lint: script('lint'),
      syntax: script('lint'),
      format: script('format'),
    };
  },
};

const ruby: Ecosystem = {
  known: firstOf('Gemfile'),
  async commands(facts) {
    const gems = (await facts.text('Gemfile')) ?? '';
    const specs = facts.files.some((path) => /_spec\.rb$/.test(path));
    const rubocop = /\brubocop\b/.test(gems) || facts.has('.rubocop.yml');
    return {
      unit: specs ? ['bundle exec rspec'] : facts.has('Rakefile') ? ['bundle exec rake test'] : [],
      ...(rubocop
        ? {
            syntax: ['bundle exec rubocop'],
            lint: ['bundle exec rubocop'],
            lint_fix: ['bundle exec rubocop -a'],
            format: ['bundle exec rubocop -x'],
          }
        : {}),
    };
  },
};

const gradle: Ecosystem = {
  known: firstOf('build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'),
  commands(facts) {
    const programs = facts.has('gradlew') ? ['./gradlew', 'gradle'] : ['gradle'];
    const task = (name: string) => programs.map((program) => `${program} ${name}`);
    return { syntax: task('classes'), lint: task('classes'), unit: task('test') };
  },
};

const maven: Ecosystem = {
  known: firstOf('pom.xml'),
  commands(facts) {
    const programs = facts.has('mvnw') ? ['./mvnw', 'mvn'] : ['mvn'];
    const goal = (name: string) => programs.map((program) => `${program} -B -q ${name}`);
    return { syntax: goal('compile'), lint: goal('compile'), unit: goal('test'), integration: goal('verify') };
  },
};

const dotnet: Ecosystem = {
  known: ending(/\.(?:csproj|fsproj|sln)$/),
  commands: () => ({ syntax: ['dotnet build'], lint: ['dotnet build'], unit: ['dotnet test'], format: ['dotnet format'] }),
};

const deno: Ecosystem = {
  known: firstOf('deno.json', 'deno.jsonc'),
  commands: () => ({ syntax: ['deno check .'], lint: ['deno lint'], unit: ['deno test'], format: ['deno fmt'] }),
};

const ecosystems: readonly Ecosystem[] = [python, rust, golang, php, ruby, gradle, maven, dotnet, deno];

const makeTargets: Record<CommandPurpose, readonly string[]> = {
  syntax: ['lint', 'check'],
  lint: ['lint'],
  lint_fix: ['lint-fix', 'fix'],
  format: ['format', 'fmt'],
  unit: ['test-unit', 'unit', 'test'],
  integration: ['test-integration', 'integration'],
};

/** What the manifests of other languages suggest, and a Makefile last. */
export async function* ecosystemCommands(purpose: CommandPurpose, facts: WorkspaceFacts): AsyncGenerator<Suggestion> {
  for (const ecosystem of ecosystems) {
    const sign = await ecosystem.known(facts);
    if (sign === null) continue;
    const commands = (await ecosystem.commands(facts))[purpose] ?? [];
    for (const command of commands) yield { command, because: `there is ${sign}` };
  }
  const makefile = firstOf('Makefile', 'makefile', 'GNUmakefile')(facts);
  const rules = makefile === null ? '' : ((await facts.text(makefile)) ?? '');
  for (const target of makeTargets[purpose]) {
    if (new RegExp(`^${target}\\s*:(?!=)`, 'm').test(rules))
      yield { command: `make ${target}`, because: `${makefile} has a target "${target}"` };
  }
}
