import type { Json, JsonObject } from '@/harness/contract/json';
import { designAndRisksSchema } from '@/harness/planning/artefacts/design';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { fileSummarySchema } from '@/harness/planning/artefacts/file-summary';

/* Small artefacts for tests of the nodes that write and carry out plans. */

/** `['edit_file', 'a.py', 'Change it']` as a step. */
export type Sketch = readonly [tool: string, path: string, instruction?: string, more?: JsonObject];

export const stepsOf = (...sketches: readonly Sketch[]): JsonObject[] =>
  sketches.map(([tool, file_path, instruction = `Do it in ${file_path}`, more = {}], at) => ({
    step_number: at + 1,
    tool,
    file_path,
    instruction,
    ...more,
  }));

export const planObject = (steps: readonly Sketch[], more: JsonObject = {}): JsonObject => ({
  scope: 'Add it.',
  user_summary: 'Adds it.',
  steps: stepsOf(...steps),
  affected_files: steps.filter(([tool]) => tool === 'create_file' || tool === 'edit_file').map(([, path]) => path),
  ...more,
});

/** As the channel holds it; artefacts are plain JSON by their schemas. */
export const planValue = (steps: readonly Sketch[], more: JsonObject = {}): Json =>
  executionPlanSchema.parse(planObject(steps, more)) as unknown as Json;

const observed = (role: string) => (file_path: string) => ({ file_path, role, reason: 'It is concerned.' });

export const summaryValue = (files: { modify?: string[]; create?: string[]; context?: string[] }, more: JsonObject = {}): Json =>
  // plain JSON by its schema
  fileSummarySchema.parse({
    files_to_modify: (files.modify ?? []).map(observed('modify')),
    files_to_create: (files.create ?? []).map(observed('create')),
    files_read_for_context: (files.context ?? []).map(observed('reference')),
    ...more,
  }) as unknown as Json;

// plain JSON by its schema
export const designValue = (design: JsonObject): Json => designAndRisksSchema.parse(design) as unknown as Json;
