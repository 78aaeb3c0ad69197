import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { FlowDocument } from '@/harness/flow/schema';
import type { ModelScript } from '@/harness/testing/model-script';
import { templateById, templates } from '../templates/index';
import { answersSchema, type Scenario, type ScenarioAnswer, scenarioSchema } from './scenario';

export interface LoadedScenario {
  scenario: Scenario;
  /** The folder of the file: other files are named from there. */
  folder: string;
  /** Where the sample folders stand. */
  samples: string;
  flow: Json;
  /** Of a template: the document as it ships. */
  document?: FlowDocument;
  input: Json;
  workspace: Scenario['workspace'];
  script: ModelScript | undefined;
  answers: ScenarioAnswer[];
}

/** Reads a scenario file, or standard input for `-`. Throws `SCENARIO_INVALID` that says which field is wrong. */
export const loadScenario = (file: string, samples: string): LoadedScenario =>
  parseScenario(readText(file === '-' ? 0 : file), { folder: file === '-' ? process.cwd() : dirname(resolve(file)), samples });

export function parseScenario(text: string, places: { folder: string; samples: string }): LoadedScenario {
  const scenario = checked(text);
  const sources = [scenario.flow, scenario.flowFile, scenario.template].filter((source) => source !== undefined);
  if (sources.length !== 1) throw invalid('give exactly one of "flow", "flowFile" and "template"');
  const { input = {}, workspace, script, answers } = scenario;
  const base = { scenario, ...places, input, workspace, script, answers };
  if (scenario.template === undefined) return { ...base, flow: scenario.flow ?? readJson(resolve(places.folder, scenario.flowFile ?? '')) };
  const template = templateById(scenario.template);
  if (!template) throw invalid(`there is no template "${scenario.template}"; there are ${templates.map(({ id }) => id).join(', ')}`);
  const { sample } = template;
  const asShipped = script === undefined && scenario.input === undefined;
  return {
    ...base,
    flow: null,
    document: template.document,
    input: scenario.input ?? sample.input,
    workspace: workspace ?? (sample.workspace === undefined ? undefined : { sample: sample.workspace }),
    script: script ?? template.script,
    answers: asShipped && answers.length === 0 ? answersSchema.parse(template.answers) : answers,
  };
}

const invalid = (why: string) => userError('SCENARIO_INVALID', `The scenario cannot be used: ${why}.`);

function checked(text: string): Scenario {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw invalid(`it is not JSON (${thrown instanceof Error ? thrown.message : 'unreadable'})`);
  }
  const parsed = scenarioSchema.safeParse(json);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  return parsed.data;
}

function readText(file: string | 0): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw invalid(`${file === 0 ? 'standard input' : file} cannot be read (${thrown instanceof Error ? thrown.message : 'unreadable'})`);
  }
}

function readJson(file: string): Json {
  const text = readText(file);
  try {
    // What JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw invalid(`${file} is not JSON (${thrown instanceof Error ? thrown.message : 'unreadable'})`);
  }
}
