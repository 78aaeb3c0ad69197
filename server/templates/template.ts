import type { AskAnswer } from '@/harness/contract/ask';
import type { Json } from '@/harness/contract/json';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { type ModelScript, modelScriptSchema } from '@/harness/testing/model-script';

/** What a person answers at a node, in the order the questions come. */
export interface TemplateAnswer extends Partial<AskAnswer> {
  node: string;
  choice: string;
}

/** A flow to begin with: complete, explained, and with a sample task that runs without a key. */
export interface Template {
  id: string;
  title: string;
  summary: string;
  document: FlowDocument;
  /** What to try first; `workspace` is the name of a folder in `public/samples`. */
  sample: { input: Json; workspace?: string };
  /** What the rehearsal model says to the sample task. */
  script: ModelScript;
  /** What people answer in a run of the sample task without a person. */
  answers: TemplateAnswer[];
}

interface Parts {
  id: string;
  title: string;
  summary: string;
  /** Content of `flow.json` and `script.json`; checked here, so a faulty file stops the build's tests and not a run. */
  flow: unknown;
  script: unknown;
  sample: Template['sample'];
  answers?: TemplateAnswer[];
}

export const defineTemplate = ({ flow, script, answers = [], ...rest }: Parts): Template => ({
  ...rest,
  document: flowDocumentSchema.parse(flow),
  script: modelScriptSchema.parse(script),
  answers,
});
