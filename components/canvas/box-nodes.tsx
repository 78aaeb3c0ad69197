'use client';

import { NodeResizer } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import dynamic from 'next/dynamic';
import { memo } from 'react';
import { useEditor } from '../editor/store-context';
import { AuthorityBadge } from '../ui/authority-badge';
import { cn } from '../ui/cn';
import { Icon } from '../ui/icon';
import { layerColor, layerTint } from '../ui/layer-chip';
import { useCanvasCommands } from './canvas-commands';
import { useCanvasUi } from './canvas-ui';
import { CardFooter } from './card-footer';
import { CardHandles } from './card-handles';
import { CardTitle } from './card-title';
import { containerHeader } from './geometry';
import { CardMarks, type CardProps, PolicyTabs, runStatusOf } from './node-card';
import type { CardData } from './projection';
import { countRender } from './render-count';

// Only notes need it, and not every flow has one.
const Markdown = dynamic(() => import('../ui/markdown').then((module) => module.Markdown), { ssr: false });

const tints: Readonly<Record<string, string>> = {
  neutral: 'var(--layer-neutral)',
  amber: 'var(--layer-control-state)',
  blue: 'var(--layer-planning)',
  green: 'var(--layer-execution)',
  red: 'var(--layer-contradiction)',
  violet: 'var(--layer-hypothesis)',
};

const tintOf = (data: CardData): string => {
  const color = data.model.node.config.color;
  return (typeof color === 'string' && Object.hasOwn(tints, color) ? tints[color] : undefined) ?? 'var(--layer-neutral)';
};

const textOf = (data: CardData, key: string): string => {
  const value = data.model.node.config[key];
  return typeof value === 'string' ? value : '';
};

function Resizer({ data, selected, min }: { data: CardData; selected: boolean; min: { width: number; height: number } }) {
  const { resize } = useCanvasCommands();
  const readOnly = useEditor((state) => state.readOnly);
  return (
    <NodeResizer
      isVisible={selected && !readOnly && !data.layout?.locked && !data.layout?.collapsed}
      minWidth={min.width}
      minHeight={min.height}
      lineClassName="box-resize-line"
      handleClassName="box-resize-handle"
      onResizeEnd={(_event, size) => resize(data.id, size)}
    />
  );
}

function Fold({ data }: { data: CardData }) {
  const { toggleCollapsed } = useCanvasCommands();
  const collapsed = data.layout?.collapsed === true;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={collapsed ? `Show what is in ${data.model.title}` : `Hide what is in ${data.model.title}`}
      aria-expanded={!collapsed}
      className="nodrag nopan flex size-5 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink"
      onClick={(event) => {
        event.stopPropagation();
        toggleCollapsed(data.id);
      }}
    >
      {collapsed ? <ChevronRight aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
    </button>
  );
}

/** A container holds the nodes of its body; they are run by it, once per item. */
function ContainerView({ data, selected = false, width, height }: CardProps) {
  countRender(data.id);
  const drop = useCanvasUi((state) => state.dropTarget === data.id);
  const status = useEditor(runStatusOf(data.id));
  const empty = useEditor((state) => !data.hidden && !state.document.nodes.some((node) => node.parent === data.id));
  const { model, geometry } = data;
  const collapsed = data.layout?.collapsed === true;
  return (
    <div
      className={cn(
        'node-card node-container',
        selected && 'node-card-selected',
        drop && 'node-drop',
        model.node.disabled && 'node-card-disabled',
      )}
      data-run={status}
      style={{ width: width ?? geometry.width, height: height ?? geometry.height, borderLeftColor: layerColor(model.layer) }}
    >
      <Resizer data={data} selected={selected} min={{ width: 300, height: 140 }} />
      <div
        className="flex items-center gap-2 rounded-t-lg border-line border-b bg-surface pr-2.5 pl-2"
        style={{ height: collapsed ? 40 : containerHeader }}
      >
        <Fold data={data} />
        <span
          className="flex size-6 shrink-0 items-center justify-center rounded-md"
          style={{ background: layerTint(model.layer, 14), color: layerColor(model.layer) }}
        >
          <Icon name={model.icon} size={14} />
        </span>
        <CardTitle id={data.id} title={model.title} />
        <span className="min-w-0 flex-1 truncate font-mono text-muted text-xs">{collapsed ? `${data.hidden} inside` : model.preview}</span>
        <CardMarks data={data} />
        {model.authority ? <AuthorityBadge authority={model.authority} compact /> : null}
      </div>
      {empty && !collapsed ? (
        <p className="pointer-events-none absolute inset-x-0 top-1/2 px-6 text-center text-faint text-sm">
          Drag nodes in here. They run once for each item.
        </p>
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

/** A lane for the eye. */
function FrameView({ data, selected = false, width, height }: CardProps) {
  countRender(data.id);
  const drop = useCanvasUi((state) => state.dropTarget === data.id);
  const far = useCanvasUi((state) => state.far);
  const tint = tintOf(data);
  const description = textOf(data, 'description');
  return (
    <div
      className={cn('node-frame', selected && 'node-frame-selected', drop && 'node-drop')}
      style={{
        width: width ?? data.geometry.width,
        height: height ?? data.geometry.height,
        background: `color-mix(in oklab, ${tint} 5%, transparent)`,
        borderColor: `color-mix(in oklab, ${tint} 34%, var(--line))`,
      }}
    >
      <Resizer data={data} selected={selected} min={{ width: 200, height: 100 }} />
      <div className="flex h-9 items-center gap-1.5 px-2">
        <Fold data={data} />
        <CardTitle
          id={data.id}
          title={data.model.title}
          className={cn('min-w-0 truncate font-semibold text-muted', far ? 'text-[24px] leading-9' : 'text-xs')}
        />
        {data.hidden > 0 ? <span className="text-faint text-xs">{data.hidden} inside</span> : null}
        {description && !far ? <span className="min-w-0 truncate text-faint text-xs">{description}</span> : null}
      </div>
    </div>
  );
}

function NoteView({ data, selected = false, width, height }: CardProps) {
  countRender(data.id);
  const tint = tintOf(data);
  const text = textOf(data, 'text');
  const far = useCanvasUi((state) => state.far);
  return (
    <div
      className={cn('node-note', selected && 'node-frame-selected')}
      style={{
        width: width ?? data.geometry.width,
        height: height ?? data.geometry.height,
        background: `color-mix(in oklab, ${tint} 13%, var(--surface))`,
        borderColor: `color-mix(in oklab, ${tint} 36%, var(--line))`,
      }}
    >
      <Resizer data={data} selected={selected} min={{ width: 140, height: 60 }} />
      <div className="nowheel h-full overflow-auto px-3 py-2 text-ink text-sm">
        {text && far ? (
          <span className="line-clamp-4 text-[22px] text-muted leading-[28px]">{text.replace(/[*_`#]/g, '')}</span>
        ) : text ? (
          <Markdown text={text} />
        ) : (
          <span className="text-faint">Empty note. Write it in the inspector.</span>
        )}
      </div>
    </div>
  );
}

function PolicyView({ data, selected = false }: CardProps) {
  countRender(data.id);
  const { model, geometry } = data;
  const far = useCanvasUi((state) => state.far && state.connecting === null);
  const collapsed = data.layout?.collapsed === true;
  return (
    <div
      className={cn('node-card node-policy group', selected && 'node-card-selected', model.node.disabled && 'node-card-disabled')}
      style={{ width: geometry.width, height: geometry.height }}
    >
      <div className={cn('flex items-center gap-2 px-2.5', far ? 'h-full' : 'h-10')}>
        <Icon name={model.icon} size={far ? 24 : 14} className="shrink-0 text-muted" />
        <CardTitle id={data.id} title={model.title} {...(far ? { className: 'min-w-0 truncate font-medium text-[22px] text-ink' } : {})} />
        <span className="flex-1" />
        <CardMarks data={data} />
      </div>
      {model.preview && !collapsed && !far ? (
        <div className="truncate px-2.5 font-mono text-muted text-xs leading-[18px]" title={model.preview}>
          {model.preview}
        </div>
      ) : null}
      <CardHandles data={data} selected={selected} />
    </div>
  );
}

export const ContainerNode = memo(ContainerView);
export const FrameNode = memo(FrameView);
export const NoteNode = memo(NoteView);
export const PolicyNode = memo(PolicyView);
