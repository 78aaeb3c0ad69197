import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, fail, install, isInstalled, root, run } from './lib/prepare.mjs';

// npm run -s bench -- <name> [--json]: benchmarks print ratios against a baseline measured in the same run
const benches = ['engine', 'layers'];
const [name = '', ...rest] = process.argv.slice(2);
if (!benches.includes(name)) fail(`Usage: npm run -s bench -- <${benches.join(' | ')}> [--json]`);

checkNode();
if (!isInstalled()) await install();
if (name === 'engine' && !existsSync(join(root, 'bench', 'node_modules', '.package-lock.json'))) {
  console.error('Installing the engines that ours is measured beside…');
  // Their packages are no part of the app; what is printed belongs to stderr, because stdout is the result.
  const code = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(root, 'bench'), stdio: ['ignore', 2, 2] });
  if (code !== 0) console.error('They could not be installed; only our own engine is measured.');
}
process.exit(await run('npx', ['tsx', '--conditions=react-server', `bench/${name}.ts`, ...rest]));
