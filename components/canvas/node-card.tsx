'use client';

import type { Node, NodeProps } from '@xyflow/react';
import { CircleAlert, CircleDot, Lock, Pin, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { severityOfNode } from '../editor/diagnostics-index';
import { useEditor, useEditorStore } from '../editor/store-context';
import { AuthorityBadge } from '../ui/authority-badge';
import { cn } from '../ui/cn';
import { Icon } from '../ui/icon';
import { layerColor, layerTint } from '../ui/layer-chip';
import { StatusDot } from '../ui/status';
import { useCanvasUi } from './canvas-ui';
import { CardFooter } from './card-footer';
import { CardHandles } from './card-handles';
import { CardTitle } from './card-title';
import { handleSize, hasPortRows, headerHeight, portHeight, previewHeight } from './geometry';
import type { CardData } from './projection';
import { countRender } from './render-count';

export type CardProps = NodeProps<Node<CardData>>;

/** Marks at the right of a card's title: problem, pin, breakpoint, lock. Each is an icon with words behind it. */
export function CardMarks({ data }: { data: CardData }) {
  const severity = useEditor((state) => severityOfNode(state.compiled, data.id));
  const pinned = useEditor((state) => Object.hasOwn(state.pins, data.id));
  const stops = useEditor((state) => state.breakpoints.includes(data.id));
  return (
    <>
      {stops ? <CircleDot size={13} className="shrink-0 text-fail" aria-label="Breakpoint" /> : null}
      {pinned ? <Pin size={13} className="shrink-0 text-waiting" aria-label="Output pinned" /> : null}
      {data.layout?.locked ? <Lock size={12} className="shrink-0 text-faint" aria-label="Locked" /> : null}
      {severity === 'error' ? <CircleAlert size={14} className="shrink-0 text-fail" aria-label="Has a problem" /> : null}
      {severity === 'warning' ? <TriangleAlert size={14} className="shrink-0 text-warn" aria-label="Has a warning" /> : null}
    </>
  );
}

/** Policies pinned to this node, as tabs on its lower edge. */
export function PolicyTabs({ data }: { data: CardData }) {
  const store = useEditorStore();
  if (data.policies.length === 0) return null;
  return (
    <div className="absolute -bottom-[18px] left-3 flex max-w-[calc(100%-48px)] gap-1">
      {data.policies.slice(0, 3).map((policy) => (
        <button
          key={policy.id}
          type="button"
          tabIndex={-1}
          title={`Policy: ${policy.title}`}
          className="nodrag nopan flex h-[22px] min-w-0 items-center gap-1 rounded-md border border-line-strong border-dashed bg-surface px-1.5 text-muted text-xs hover:bg-hover hover:text-ink"
          onClick={(event) => {
            event.stopPropagation();
            store.getState().goTo(policy.id);
          }}
        >
          <Icon name={policy.icon} size={12} className="shrink-0" />
          <span className="max-w-20 truncate">{policy.title}</span>
        </button>
      ))}
      {data.policies.length > 3 ? (
        <span className="flex h-[22px] items-center rounded-md border border-line bg-surface px-1.5 text-faint text-xs">
          +{data.policies.length - 3}
        </span>
      ) : null}
    </div>
  );
}

export const runStatusOf = (id: string) => (state: { run: { nodes: ReadonlyMap<string, { status: string }> } }) =>
  state.run.nodes.get(id)?.status;

/**
 * React Flow measures handles in the page whenever a card appears, so a far card has marks where they would be: plain elements, without any of a real
 * handle's listeners.
 */
function FarHandles({ data }: { data: CardData }) {
  const marks = data.geometry.handles.map((spot) => (
    <i
      key={`${spot.type}:${spot.id}`}
      aria-hidden
      className={cn('far-handle', spot.type)}
      data-handleid={spot.id}
      data-handlepos={spot.side}
      style={{ top: spot.y - handleSize / 2, left: spot.x - handleSize / 2 }}
    />
  ));
  return <div className="card-handles">{marks}</div>;
}

/** Far away a card is colour, icon and title, and nothing that costs. */
function FarCard({ data, selected, runOver }: { data: CardData; selected: boolean; runOver: boolean }) {
  const { model, geometry } = data;
  const status = useEditor(runStatusOf(data.id));
  const mark = useEditor((state) => state.marks.get(data.id));
  return (
    <div
      className={cn('node-card node-card-far', selected && 'node-card-selected', model.node.disabled && 'opacity-50')}
      data-run={status ?? (runOver ? 'dead' : undefined)}
      data-mark={mark}
      style={{
        width: geometry.width,
        height: geometry.height,
        borderLeftColor: layerColor(model.layer),
        background: `color-mix(in oklab, ${layerColor(model.layer)} 9%, var(--surface))`,
      }}
    >
      <Icon name={model.icon} size={26} strokeWidth={1.75} style={{ color: layerColor(model.layer) }} />
      <span
        className={cn(
          'min-w-0 font-medium text-ink',
          geometry.height < 60 ? 'truncate text-[20px]' : 'line-clamp-2 text-[23px] leading-[26px]',
        )}
      >
        {model.title}
      </span>
      {status ? <StatusDot status={status} size={24} className="ml-auto" /> : null}
      <FarHandles data={data} />
    </div>
  );
}

function NodeCardView({ data, selected = false }: CardProps) {
  countRender(data.id);
  const far = useCanvasUi((state) => state.far);
  const connecting = useCanvasUi((state) => state.connecting !== null);
  const status = useEditor(runStatusOf(data.id));
  const mark = useEditor((state) => state.marks.get(data.id));
  const runOver = useEditor((state) => data.footer && state.run.status !== 'running' && state.run.status !== 'waiting');
  if (far && !connecting) return <FarCard data={data} selected={selected} runOver={runOver} />;
  const { model, geometry, ports } = data;
  const collapsed = data.layout?.collapsed === true;
  const rows = !collapsed && hasPortRows(ports);
  const preview = !collapsed && model.preview !== '';
  const unknown = model.kind === 'unknown';
  return (
    <div
      className={cn(
        'node-card group',
        selected && 'node-card-selected',
        model.node.disabled && 'node-card-disabled',
        unknown && 'node-card-unknown',
      )}
      data-run={status ?? (runOver ? 'dead' : undefined)}
      data-mark={mark}
      style={{ width: geometry.width, height: geometry.height, borderLeftColor: layerColor(model.layer) }}
    >
      <div className="flex items-center gap-2 pr-2.5 pl-2.5" style={{ height: headerHeight }}>
        <span
          className="flex size-6 shrink-0 items-center justify-center rounded-md"
          style={{ background: layerTint(model.layer, 14), color: layerColor(model.layer) }}
        >
          <Icon name={unknown ? 'unplug' : model.icon} size={14} />
        </span>
        <CardTitle id={data.id} title={model.title} />
        <span className="flex-1" />
        <CardMarks data={data} />
        {model.authority ? <AuthorityBadge authority={model.authority} compact /> : null}
      </div>
      {preview ? (
        <div
          className="truncate px-3 font-mono text-muted text-xs leading-none"
          style={{ height: previewHeight, lineHeight: `${previewHeight - 6}px` }}
          title={model.preview}
        >
          {model.preview}
        </div>
      ) : null}
      {rows ? (
        <ul>
          {ports.map((port) => (
            <li
              key={port.id}
              className={cn(
                'flex items-center justify-end gap-1.5 pr-4 pl-3 text-xs',
                port.broken ? 'text-fail line-through' : 'text-muted',
              )}
              style={{ height: portHeight }}
            >
              <span className="truncate">{port.title}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {data.footer && !collapsed ? (
        <div className="absolute inset-x-0 bottom-0">
          <CardFooter id={data.id} />
        </div>
      ) : null}
      <PolicyTabs data={data} />
      <CardHandles data={data} selected={selected} />
    </div>
  );
}

export const NodeCard = memo(NodeCardView);
