import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Json } from '@/harness/contract/json';
import { parseFlow } from '@/harness/flow/parse-flow';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { answersSchema, type ScenarioAnswer } from '@/server/scenarios/scenario';
import { templateById, templates } from '@/server/templates/index';
import { parseJsonText, readArguments, readInput, readText, textOption, UsageError } from './arguments';
import type { Command } from './commands';
import { followRun } from './follow';
import { progress } from './output';
import { withHost } from './with-host';

interface Job {
  document: FlowDocument;
  input: Json;
  workspace: string | undefined;
  answers: ScenarioAnswer[];
}

export const runCommand: Command = {
  arguments: 'FILE | --template ID  [--input JSON] [--workspace DIR] [--answers FILE] [--json]',
  summary: 'Runs a flow to its end; the result goes to stdout',
  async run(args) {
    const { values, words } = readArguments(args, {
      template: { type: 'string' },
      input: { type: 'string' },
      workspace: { type: 'string' },
      answers: { type: 'string' },
      json: { type: 'boolean' },
    });
    const job = jobOf(words, values);
    return withHost(async ({ services }) => {
      const { document, input, workspace } = job;
      const { runId } = await services.runs.startDocument({ document, input, ...(workspace === undefined ? {} : { workspace }) });
      progress(`${document.name}: ${runId}`);
      return followRun(services, runId, { answers: job.answers, json: values.json === true });
    });
  },
};

function jobOf(words: string[], values: Record<string, string | boolean | undefined>): Job {
  const template = textOption(values.template);
  const given = textOption(values.input);
  const answersFile = textOption(values.answers);
  const folder = textOption(values.workspace);
  const answers = answersFile === undefined ? [] : answersOf(answersFile);
  if (template === undefined) {
    const [file] = words;
    if (file === undefined || words.length > 1) throw new UsageError('Name one flow file, or a template with --template.');
    const parsed = parseFlow(readText(file), catalogue);
    if (!parsed.ok) throw parsed.error;
    return {
      document: parsed.document,
      input: readInput(given),
      workspace: folder === undefined ? undefined : workspaceOf(folder),
      answers,
    };
  }
  if (words.length > 0) throw new UsageError('Name either a flow file or a template, not both.');
  const found = templateById(template);
  if (!found) throw new UsageError(`There is no template "${template}". There are: ${templates.map(({ id }) => id).join(', ')}.`);
  const workspace = folder === undefined ? found.sample.workspace : workspaceOf(folder);
  return {
    document: found.document,
    input: given === undefined ? found.sample.input : readInput(given),
    workspace,
    answers: answersFile === undefined && given === undefined ? answersSchema.parse(found.answers) : answers,
  };
}

/** A folder on this machine, or the name of a sample. */
const workspaceOf = (folder: string): string => (existsSync(folder) ? resolve(folder) : folder);

function answersOf(file: string): ScenarioAnswer[] {
  const parsed = answersSchema.safeParse(parseJsonText(readText(file), file));
  if (!parsed.success)
    throw new UsageError(`${file} is not a list of answers (docs/scenarios.md): ${parsed.error.issues[0]?.message ?? ''}`);
  return parsed.data;
}
