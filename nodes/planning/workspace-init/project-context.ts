import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { compared, fact } from '@/harness/layers/shared/explain';
import { shareInCharacters } from '@/harness/planning/context/tokens';
import { artefactFolder, writeArtefact } from '../support/artefact-file';
import { windowOf } from '../support/config';
import { materialNote, prompt, section } from '../support/prompt';
import type { workspaceInit } from './node';
import { fileContent } from './read-text';

type Context = ExecuteContext<ConfigOf<typeof workspaceInit>>;

const file = 'project_context.md';

const system = [
  'You describe a codebase for colleagues who will plan changes to it: purpose, languages and frameworks, layout of the folders, entry points, how it is built, run and tested, conventions.',
  'Use only what is below, name paths exactly, guess nothing. Markdown, short paragraphs under headings, at most about 800 words.',
  materialNote,
].join('\n');

export interface ProjectContext {
  text: string;
  source: 'file' | 'model' | 'none';
}

/** What is known of the project: the stored description or a new one, with the steering documents word for word. */
export async function projectContext(context: Context): Promise<ProjectContext> {
  const { config } = context;
  const described = await description(context);
  const steering: string[] = [];
  for (const path of config.steeringFiles) {
    const text = await fileContent(context, path, config.fileLines);
    if (text !== null) steering.push(section(path, text));
  }
  return { ...described, text: prompt(described.text, ...steering) };
}

async function description(context: Context): Promise<ProjectContext> {
  const { config } = context;
  const stored = config.refreshContext ? null : await fileContent(context, `${artefactFolder}/${file}`, 5000);
  if (stored !== null && stored.trim() !== '') {
    context.decide({ rule: 'init_index', outcome: 'the stored description is used', because: [fact('file', `${artefactFolder}/${file}`)] });
    return { text: stored, source: 'file' };
  }
  if (!config.projectContext) return { text: '', source: 'none' };
  const material = await gather(context);
  if (material === '') return { text: '', source: 'none' };
  const text = await writeDescription(context, material);
  if (text === '') return { text: '', source: 'none' };
  if (config.writeFiles) await writeArtefact(context, file, `${text.trim()}\n`);
  return { text, source: 'model' };
}

async function gather(context: Context): Promise<string> {
  const { config } = context;
  const outcome = await context.tool('directory_tree', { path: '.', depth: config.treeDepth });
  const tree =
    outcome.status === 'ok' && isJsonObject(outcome.output) && typeof outcome.output.tree === 'string' ? outcome.output.tree : '';
  const files: string[] = [];
  for (const path of config.readFiles) {
    const text = await fileContent(context, path, config.fileLines);
    if (text !== null) files.push(section(path, text));
  }
  return prompt(section('Tree', tree), ...files);
}

/** Round after round where the material is larger than one call may take; a model that fails leaves no description, and blocks nothing. */
async function writeDescription(context: Context, material: string): Promise<string> {
  const { config } = context;
  const size = Math.max(1000, shareInCharacters(windowOf(config), config.roundShare));
  const needed = Math.ceil(material.length / size);
  const rounds = Math.min(needed, config.maxRounds);
  context.decide({
    rule: 'init_index',
    outcome: `describe the project in ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    because: [compared('characters of material', material.length, '<=', size), compared('rounds', needed, '<=', config.maxRounds)],
  });
  let text = '';
  try {
    for (let round = 0; round < rounds; round += 1) {
      const part = material.slice(round * size, (round + 1) * size);
      const user = prompt(
        text === '' ? '' : section('The description so far; revise it and output it whole', text),
        section('Material', part),
      );
      const reply = await context.model({
        role: config.role,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
      });
      if (reply.text.trim() !== '') text = reply.text;
    }
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    context.log('warning', `The project was not described: ${thrown.message}`);
  }
  return text;
}
