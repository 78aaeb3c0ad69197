import type { FlowPreview } from '@/harness/flow/preview';
import { cn } from './cn';
import { layerColor } from './layer-chip';

type Box = FlowPreview['boxes'][number];

function lineOf(from: Box, to: Box): string {
  const x1 = from.x + from.width;
  const y1 = from.y + from.height / 2;
  const x2 = to.x;
  const y2 = to.y + to.height / 2;
  if (x2 >= x1) {
    const bend = Math.max(24, (x2 - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const below = Math.max(from.y + from.height, to.y + to.height) + 48;
  return `M${x1} ${y1}C${x1 + 90} ${below} ${x2 - 90} ${below} ${x2} ${y2}`;
}

/** Thickness of lines in drawing units, so that they are about one pixel at the size the drawing is shown. */
const strokeOf = (width: number, height: number, compact: boolean): number =>
  compact ? Math.max(width / 64, height / 36) * 0.9 : Math.max(2, Math.max(width / 300, height / 150) * 1.2);

/** A flow at thumbnail size, in the layout its author gave it; `compact` leaves out what a list row has no room for. Decorative: the name beside it says what it is. */
export function FlowDrawing({ preview, className, compact = false }: { preview: FlowPreview; className?: string; compact?: boolean }) {
  const { boxes, lines } = preview;
  const minX = boxes.length === 0 ? 0 : Math.min(...boxes.map((box) => box.x));
  const minY = boxes.length === 0 ? 0 : Math.min(...boxes.map((box) => box.y));
  const width = Math.max(480, Math.max(0, ...boxes.map((box) => box.x + box.width)) - minX);
  const height = Math.max(240, Math.max(0, ...boxes.map((box) => box.y + box.height)) - minY);
  const pad = Math.max(width, height) * 0.05;
  const stroke = strokeOf(width, height, compact);
  return (
    <svg
      aria-hidden
      className={cn('block', className)}
      viewBox={`${minX - pad} ${minY - pad} ${width + 2 * pad} ${height + 2 * pad}`}
      preserveAspectRatio="xMidYMid meet"
    >
      {lines.map((line, index) => {
        const from = boxes[line.from];
        const to = boxes[line.to];
        if (from === undefined || to === undefined) return null;
        return (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: a drawing is made once and its lines have no other name
            key={index}
            d={lineOf(from, to)}
            fill="none"
            stroke="var(--line-strong)"
            strokeWidth={stroke}
            strokeDasharray={line.kind === 'attach' ? `${stroke * 3} ${stroke * 3}` : undefined}
          />
        );
      })}
      {boxes.map((box, index) =>
        compact ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a drawing is made once and its boxes have no other name
            key={index}
            x={box.x}
            y={box.kind === 'box' ? box.y : box.y - stroke}
            width={box.width}
            height={box.kind === 'box' ? box.height : box.height + 2 * stroke}
            rx={stroke}
            fill={box.kind === 'box' ? 'color-mix(in oklab, var(--ink) 7%, transparent)' : layerColor(box.layer)}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a drawing is made once and its boxes have no other name
          <g key={index}>
            <rect
              x={box.x}
              y={box.y}
              width={box.width}
              height={box.height}
              rx={14}
              fill={box.kind === 'box' ? 'color-mix(in oklab, var(--ink) 4%, transparent)' : 'var(--surface)'}
              stroke="var(--line-strong)"
              strokeWidth={stroke * 0.8}
              strokeDasharray={box.kind === 'box' ? `${stroke * 4} ${stroke * 3}` : undefined}
            />
            {box.kind === 'node' ? (
              <>
                <rect
                  x={box.x}
                  y={box.y + 6}
                  width={Math.max(12, stroke * 3)}
                  height={box.height - 12}
                  rx={6}
                  fill={layerColor(box.layer)}
                />
                <rect x={box.x + 40} y={box.y + box.height / 2 - 8} width={box.width * 0.5} height={16} rx={8} fill="var(--line-strong)" />
              </>
            ) : null}
          </g>
        ),
      )}
    </svg>
  );
}
