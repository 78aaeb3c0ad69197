import { getSmoothStepPath, Position } from '@xyflow/react';
import { layers } from '@/harness/contract/layers';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { attachHandle, guardHandle, inHandle, toCanvasId } from '../canvas/canvas-id';
import type { CardModel } from '../canvas/card-model';
import { edgePath } from '../canvas/edge-path';
import { absoluteOf } from '../canvas/places';
import { type CardData, project } from '../canvas/projection';

export interface Picture {
  text: string;
  width: number;
  height: number;
}

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

const colorOf = (model: CardModel): string => {
  const hue = layers[model.layer].hue;
  return hue === null ? '#8d8880' : `oklch(0.62 0.1 ${hue})`;
};

interface Placed {
  data: CardData;
  x: number;
  y: number;
}

function cardSvg({ data, x, y }: Placed): string {
  const { model, geometry, ports } = data;
  const { width, height } = geometry;
  const color = colorOf(model);
  const box = model.kind === 'frame' || model.kind === 'container';
  const fill = model.kind === 'note' ? '#faf1dd' : box ? '#f6f5f3' : '#ffffff';
  const parts = [
    `<rect width="${width}" height="${height}" rx="10" fill="${fill}" stroke="${model.kind === 'unknown' ? '#c0392b' : '#d9d5cf'}"${model.kind === 'policy' || model.kind === 'unknown' ? ' stroke-dasharray="4 3"' : ''}/>`,
  ];
  if (!box && model.kind !== 'note' && model.kind !== 'policy')
    parts.push(`<rect width="4" height="${height - 12}" y="6" rx="2" fill="${color}"/>`);
  if (model.kind === 'note') {
    const text = typeof model.node.config.text === 'string' ? model.node.config.text : '';
    text
      .split('\n')
      .slice(0, Math.max(1, Math.floor((height - 16) / 18)))
      .forEach((line, at) => {
        parts.push(
          `<text x="12" y="${24 + at * 18}" font-size="12" fill="#4a443c">${escapeXml(cut(line, Math.floor(width / 6.4)))}</text>`,
        );
      });
  } else {
    parts.push(`<text x="14" y="25" font-size="13" font-weight="600" fill="#2b2620">${escapeXml(cut(model.title, 28))}</text>`);
    if (!box && model.preview) {
      parts.push(`<text x="14" y="52" font-size="11" font-family="monospace" fill="#6f675d">${escapeXml(cut(model.preview, 32))}</text>`);
    }
  }
  if (ports.length > 1) {
    ports.forEach((port, at) => {
      parts.push(
        `<text x="${width - 14}" y="${(geometry.portY[at] ?? 0) + 4}" text-anchor="end" font-size="11" fill="#6f675d">${escapeXml(cut(port.title, 30))}</text>`,
      );
    });
  }
  return `<g transform="translate(${x} ${y})">${parts.join('')}</g>`;
}

/** The flow as a picture of its own: no fonts, styles or files from elsewhere, so it shows the same everywhere. */
export function flowPicture(document: FlowDocument): Picture {
  const drawn = project({ document, catalogue, footer: false, readOnly: true });
  const placed: Placed[] = drawn.nodes.flatMap((node) => {
    if (node.type === 'ghost' || node.hidden) return [];
    return [{ data: node.data, ...absoluteOf(document, node.data.id) }];
  });
  const byId = new Map(placed.map((entry) => [toCanvasId(entry.data.id), entry]));
  const pad = 40;
  const left = Math.min(0, ...placed.map((entry) => entry.x)) - pad;
  const top = Math.min(0, ...placed.map((entry) => entry.y)) - pad - 40;
  const right = Math.max(400, ...placed.map((entry) => entry.x + entry.data.geometry.width)) + pad;
  const bottom = Math.max(200, ...placed.map((entry) => entry.y + entry.data.geometry.height)) + pad;

  const edges = drawn.edges.flatMap((edge) => {
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    const from = source?.data.geometry.handles.find(
      (spot) => spot.type === 'source' && spot.id === (edge.type === 'attach' ? attachHandle : edge.sourceHandle),
    );
    const to = target?.data.geometry.handles.find(
      (spot) => spot.type === 'target' && spot.id === (edge.type === 'attach' ? guardHandle : inHandle),
    );
    if (!source || !target || !from || !to) return [];
    const ends = { sourceX: source.x + from.x, sourceY: source.y + from.y, targetX: target.x + to.x, targetY: target.y + to.y };
    if (edge.type === 'attach') {
      const [path] = getSmoothStepPath({ ...ends, sourcePosition: Position.Top, targetPosition: Position.Bottom });
      return [`<path d="${path}" fill="none" stroke="#a39b90" stroke-dasharray="3 4"/>`];
    }
    const loop = edge.data?.loop ?? false;
    const { path, labelX, labelY } = edgePath(
      { ...ends, sourcePosition: from.side === 'bottom' ? Position.Bottom : Position.Right, targetPosition: Position.Left },
      loop,
    );
    const arrow = `<path d="M ${ends.targetX - 9} ${ends.targetY - 4.5} L ${ends.targetX} ${ends.targetY} L ${ends.targetX - 9} ${ends.targetY + 4.5} z" fill="#8d857a"/>`;
    const cap = loop
      ? `<text x="${labelX}" y="${labelY - 6}" text-anchor="middle" font-size="11" fill="#6f675d">at most ${edge.data?.edge.maxTraversals ?? ''}×</text>`
      : '';
    return [`<path d="${path}" fill="none" stroke="#8d857a" stroke-width="1.5"/>${arrow}${cap}`];
  });
  const width = Math.round(right - left);
  const height = Math.round(bottom - top);
  const boxes = placed.filter(({ data }) => data.model.kind === 'frame' || data.model.kind === 'container');
  const cards = placed.filter(({ data }) => data.model.kind !== 'frame' && data.model.kind !== 'container');
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#fbfaf8"/>`,
    `<text x="${left + pad}" y="${top + 36}" font-size="16" font-weight="600" fill="#2b2620">${escapeXml(document.name)}</text>`,
    ...boxes.map(cardSvg),
    ...edges,
    ...cards.map(cardSvg),
    '</svg>',
  ].join('\n');
  return { text, width, height };
}

/** Draws the picture at twice its size, as far as a canvas can be, and hands it out as PNG. */
export async function exportPng(picture: Picture, name: string): Promise<void> {
  const scale = Math.min(2, 8000 / picture.width, 8000 / picture.height);
  const url = URL.createObjectURL(new Blob([picture.text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = globalThis.document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The browser made no picture. The flow may be too large; export it as SVG instead.');
    const link = globalThis.document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } finally {
    URL.revokeObjectURL(url);
  }
}
