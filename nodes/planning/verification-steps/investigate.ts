import { materialNote, prompt } from '../support/prompt';
import { runToolLoop } from '../support/tool-loop';
import type { VerificationContext } from './execute';

const rules = [
  'You look around in a workspace before tests for a planned change are designed. Find out what the material leaves open: how tests are run here,',
  'what helpers and fixtures there are, which names the tests must import. Change nothing. When you know enough, call task_complete with what you',
  'found, with paths. Never make up what a tool would have said.',
].join(' ');

const tools = ['read_file', 'grep_files', 'list_directory', 'directory_tree', 'search_internet', 'fetch_url'];

/** A few turns of looking before the steps are written; what was found, as text. */
export async function investigate(context: VerificationContext, material: string): Promise<string> {
  const { config } = context;
  const { summary, text } = await runToolLoop(context, {
    role: config.role,
    messages: [
      { role: 'system', content: prompt(rules, materialNote) },
      { role: 'user', content: material },
    ],
    tools,
    loop: { maxTurns: config.investigation },
    settings: config,
    executing: false,
  });
  return summary ?? text;
}
