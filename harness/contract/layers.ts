/** The control layers in lane order, then what stands around them. Hues are degrees in OKLCH (visual.md). */
export const layers = {
  'world-model': { title: 'World model', hue: 230 },
  evidence: { title: 'Evidence', hue: 200 },
  hypothesis: { title: 'Hypothesis', hue: 285 },
  contradiction: { title: 'Contradiction', hue: 15 },
  diagnostics: { title: 'Diagnostics', hue: 170 },
  'control-state': { title: 'Control state', hue: 65 },
  planning: { title: 'Planning', hue: 255 },
  execution: { title: 'Execution', hue: 140 },
  verification: { title: 'Verification', hue: 120 },
  recovery: { title: 'Recovery', hue: 35 },
  reviewer: { title: 'Reviewer', hue: 320 },
  around: { title: 'Around the loop', hue: null },
  flow: { title: 'Flow', hue: null },
} as const satisfies Record<string, { title: string; hue: number | null }>;

export type LayerId = keyof typeof layers;

/** Who decides at a node. */
export type Authority = 'llm' | 'deterministic' | 'human';

/** Palette groups, in palette order. Later systems add theirs here. */
export const categories = {
  flow: { title: 'Flow' },
  agent: { title: 'Models and agents' },
  tools: { title: 'Tools and data' },
  human: { title: 'People' },
  policy: { title: 'Policies' },
  control: { title: 'Control layers' },
  planning: { title: 'Planning' },
  operations: { title: 'Operations' },
  canvas: { title: 'Canvas' },
} as const satisfies Record<string, { title: string }>;

export type CategoryId = keyof typeof categories;
