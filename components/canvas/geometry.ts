import { errorPort } from '@/harness/contract/node';
import type { NodeLayout } from '@/harness/flow/schema';
import { attachHandle, guardHandle, inHandle, toCanvasId } from './canvas-id';
import type { CardModel, CardPort } from './card-model';

/*
 * Cards have sizes that follow from what they show, so that a thousand of them open without being measured, edges end where handles are drawn, and
 * auto-layout and pictures need no browser. The card's markup uses the same numbers.
 */

export const cardWidth = 240;
export const headerHeight = 40;
export const previewHeight = 24;
export const portHeight = 22;
export const footerHeight = 28;
export const cardPadding = 8;
export const policyWidth = 200;
export const containerHeader = 36;
export const handleSize = 10;

export const defaultSizes = {
  container: { width: 520, height: 240 },
  frame: { width: 560, height: 320 },
  note: { width: 240, height: 132 },
} as const;

/** Which side of the card an edge leaves or enters by; the words of React Flow's Position. */
export type Side = 'left' | 'right' | 'top' | 'bottom';

export interface HandleSpot {
  id: string;
  type: 'source' | 'target';
  /** Centre of the handle, from the card's top left. */
  x: number;
  y: number;
  side: Side;
}

export interface CardGeometry {
  width: number;
  height: number;
  /** Centre line of each port row, in the model's order; one entry on the header when there is a single port. */
  portY: readonly number[];
  handles: readonly HandleSpot[];
}

export interface GeometryInput {
  model: CardModel;
  ports: readonly CardPort[];
  layout: NodeLayout | undefined;
  /** A run is on view: each card has a line for it. */
  footer: boolean;
  accepts: boolean;
}

const boxed = (model: CardModel, layout: NodeLayout | undefined): { width: number; height: number } => {
  const size = model.kind === 'container' ? defaultSizes.container : model.kind === 'frame' ? defaultSizes.frame : defaultSizes.note;
  return { width: layout?.width ?? size.width, height: layout?.height ?? size.height };
};

/** Whether a card lists its ports as rows: with one port the header's own handle says enough. */
export const hasPortRows = (ports: readonly CardPort[]): boolean => ports.length > 1 || ports.some((port) => port.broken);

export function geometryOf({ model, ports, layout, footer, accepts }: GeometryInput): CardGeometry {
  const collapsed = layout?.collapsed === true;
  if (model.kind === 'frame' || model.kind === 'note') {
    const { width, height } = boxed(model, layout);
    return { width, height: collapsed ? containerHeader : height, portY: [], handles: [] };
  }
  if (model.kind === 'policy') {
    const height = headerHeight + (model.preview && !collapsed ? previewHeight : 0) + (collapsed ? 0 : 4);
    return {
      width: policyWidth,
      height,
      portY: [],
      handles: [{ id: attachHandle, type: 'source', x: policyWidth / 2, y: 0, side: 'top' }],
    };
  }
  const rows = !collapsed && hasPortRows(ports);
  const box = model.kind === 'container' && !collapsed ? boxed(model, layout) : null;
  const width = box?.width ?? cardWidth;
  const preview = !collapsed && model.preview && !box ? previewHeight : 0;
  const rowsTop = (box ? containerHeader : headerHeight) + preview;
  const content =
    rowsTop + (rows ? ports.length * portHeight : 0) + (rows || preview ? cardPadding : 0) + (footer && !collapsed ? footerHeight : 0);
  const height = box ? Math.max(box.height, content) : collapsed ? headerHeight : content;
  const middle = (box ? containerHeader : headerHeight) / 2;
  const portY = ports.map((_, at) => (rows ? rowsTop + at * portHeight + portHeight / 2 : middle));

  const handles: HandleSpot[] = [];
  if (accepts) handles.push({ id: inHandle, type: 'target', x: 0, y: middle, side: 'left' });
  ports.forEach((port, at) => {
    handles.push({ id: toCanvasId(port.id), type: 'source', x: width, y: portY[at] ?? middle, side: 'right' });
  });
  if (model.fails) handles.push({ id: errorPort, type: 'source', x: width - 28, y: height, side: 'bottom' });
  if (model.guarded) handles.push({ id: guardHandle, type: 'target', x: width / 2 - 24, y: height, side: 'bottom' });
  return { width, height, portY, handles };
}
