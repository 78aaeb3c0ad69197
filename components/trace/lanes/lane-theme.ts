import { layers } from '@/harness/contract/layers';

/** Colours of the current theme as a canvas can use them. */
export interface LaneTheme {
  font: string;
  ink: string;
  muted: string;
  faint: string;
  line: string;
  surface: string;
  hover: string;
  accent: string;
  running: string;
  fail: string;
  warn: string;
  waiting: string;
  skipped: string;
  ok: string;
  neutral: string;
  tool: string;
  layer(id: string): string;
}

export function readLaneTheme(element: Element): LaneTheme {
  const root = getComputedStyle(document.documentElement);
  const read = (name: string): string => root.getPropertyValue(`--${name}`).trim() || '#888';
  const layerColors = new Map<string, string>(Object.keys(layers).map((id) => [id, read(`layer-${id}`)]));
  const neutral = read('layer-neutral');
  return {
    font: getComputedStyle(element).fontFamily,
    ink: read('ink'),
    muted: read('muted'),
    faint: read('faint'),
    line: read('line'),
    surface: read('surface'),
    hover: read('hover'),
    accent: read('accent'),
    running: read('running'),
    fail: read('fail'),
    warn: read('warn'),
    waiting: read('waiting'),
    skipped: read('skipped'),
    ok: read('ok'),
    neutral,
    tool: read('layer-diagnostics'),
    layer: (id) => layerColors.get(id) ?? neutral,
  };
}
