'use client';

import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { FlowEdge, FlowNode } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import { flowOrder } from '../canvas/flow-order';
import { cn } from '../ui/cn';
import { Icon } from '../ui/icon';
import { layerColor } from '../ui/layer-chip';
import { StatusDot, statusLabel } from '../ui/status';
import { type ActionContext, performAction } from './actions/action';
import { actionOf } from './actions/all-actions';
import { indexOf } from './document-index';
import { useLayoutStore } from './layout-store';
import { useEditor, useEditorStore } from './store-context';

interface Row {
  key: string;
  level: number;
  node: FlowNode | null;
  edge: FlowEdge | null;
  text: string;
}

/** What a row says when it is read aloud. */
const edgeText = (edge: FlowEdge, nodes: ReadonlyMap<string, FlowNode>): string =>
  `${edge.kind === 'attach' ? 'guards' : `${edge.port ?? 'next'} →`} ${nodes.get(edge.target)?.label ?? `missing: ${edge.target}`}${
    edge.maxTraversals === undefined ? '' : `, at most ${edge.maxTraversals} times`
  }`;

function NodeRow({ row }: { row: Row }) {
  const node = row.node;
  const status = useEditor((state) => (node ? state.run.nodes.get(node.id)?.status : undefined));
  if (!node) return <span className="truncate pl-6 text-muted text-xs">{row.text}</span>;
  const model = cardModelOf(node, catalogue);
  return (
    <>
      <span aria-hidden className="h-4 w-[3px] shrink-0 rounded-full" style={{ background: layerColor(model.layer) }} />
      <Icon name={model.icon} size={14} className="shrink-0 text-muted" />
      <span className={cn('truncate text-sm', node.disabled && 'text-faint line-through')}>{row.text}</span>
      <span className="truncate text-faint text-xs">{model.typeTitle === row.text ? '' : model.typeTitle}</span>
      <span className="flex-1" />
      {status ? <StatusDot status={status} size={12} /> : null}
    </>
  );
}

/**
 * The flow as a tree in reading order: each node, then the edges that leave it, bodies inside their container. Arrow keys walk it, Enter opens the
 * inspector, Delete deletes; everything the canvas can do is in the menu of commands.
 */
export function OutlinePanel({ context }: { context: ActionContext }) {
  const document = useEditor((state) => state.document);
  const selection = useEditor((state) => state.selection);
  const store = useEditorStore();
  const layout = useLayoutStore();
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const rows = useMemo(() => {
    const { nodes, outgoing } = indexOf(document);
    const depth = (node: FlowNode): number => {
      let level = 1;
      const seen = new Set<string>([node.id]);
      for (let parent = node.parent; parent !== undefined && !seen.has(parent); parent = nodes.get(parent)?.parent) {
        seen.add(parent);
        level += 1;
      }
      return level;
    };
    return flowOrder(document).flatMap((node): Row[] => {
      const level = depth(node);
      const attached = document.edges.filter((edge) => edge.kind === 'attach' && edge.source === node.id);
      return [
        { key: `n:${node.id}`, level, node, edge: null, text: cardModelOf(node, catalogue).title || 'Note' },
        ...[...(outgoing.get(node.id) ?? []), ...attached].map(
          (edge): Row => ({ key: `e:${edge.id}`, level: level + 1, node: null, edge, text: edgeText(edge, nodes) }),
        ),
      ];
    });
  }, [document]);
  const active = rows.some((row) => row.key === current) ? current : (rows[0]?.key ?? null);

  const focusRow = (row: Row | undefined): void => {
    if (!row) return;
    setCurrent(row.key);
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`)?.focus();
  };
  const choose = (row: Row): void => {
    if (row.node) store.getState().select({ nodes: [row.node.id], edges: [] });
    if (row.edge) store.getState().select({ nodes: [], edges: [row.edge.id] });
  };
  const onKeyDown = (event: KeyboardEvent, row: Row): void => {
    if (event.nativeEvent.isComposing) return;
    const at = rows.indexOf(row);
    const handled = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    switch (event.key) {
      case 'ArrowDown':
        handled();
        focusRow(rows[at + 1]);
        break;
      case 'ArrowUp':
        handled();
        focusRow(rows[at - 1]);
        break;
      case 'Home':
        handled();
        focusRow(rows[0]);
        break;
      case 'End':
        handled();
        focusRow(rows.at(-1));
        break;
      case 'ArrowRight':
        handled();
        focusRow(row.edge ? rows.find((other) => other.node?.id === row.edge?.target) : rows[at + 1]);
        break;
      case 'ArrowLeft':
        handled();
        focusRow(
          rows
            .slice(0, at)
            .reverse()
            .find((other) => other.level < row.level),
        );
        break;
      case ' ':
        handled();
        choose(row);
        break;
      case 'Enter':
        handled();
        choose(row);
        store.getState().goTo(row.node?.id ?? row.edge?.id ?? '');
        layout.setState({ inspector: true });
        requestAnimationFrame(() => globalThis.document.getElementById('inspector')?.focus());
        break;
      case 'Delete':
      case 'Backspace': {
        handled();
        choose(row);
        performAction(actionOf('delete'), context);
        focusRow(rows[at - 1] ?? rows[at + 1]);
        break;
      }
      default:
        break;
    }
  };
  if (rows.length === 0) return <p className="p-4 text-faint text-sm">The flow has no nodes yet. Add one from the palette.</p>;
  return (
    <div ref={list} role="tree" aria-label={`Outline of ${document.name}`} aria-multiselectable className="h-full overflow-y-auto py-1">
      {rows.map((row) => {
        const selected = row.node ? selection.nodes.includes(row.node.id) : selection.edges.includes(row.edge?.id ?? '');
        return (
          <div
            key={row.key}
            role="treeitem"
            tabIndex={row.key === active ? 0 : -1}
            data-row={row.key}
            aria-level={row.level}
            aria-selected={selected}
            aria-label={
              row.node
                ? [row.text, cardModelOf(row.node, catalogue).typeTitle, row.node.disabled ? 'disabled' : ''].filter(Boolean).join(', ')
                : row.text
            }
            className={cn(
              'flex h-7 cursor-default items-center gap-2 pr-3 outline-offset-[-2px]',
              selected ? 'bg-accent-soft' : 'hover:bg-hover',
            )}
            style={{ paddingLeft: 8 + (row.level - 1) * 16 }}
            onClick={() => {
              setCurrent(row.key);
              choose(row);
            }}
            onDoubleClick={() => store.getState().goTo(row.node?.id ?? row.edge?.id ?? '')}
            onKeyDown={(event) => onKeyDown(event, row)}
          >
            <NodeRow row={row} />
          </div>
        );
      })}
    </div>
  );
}

/** Tells a screen reader what happens to the node in hand while a run goes on (BR-76). */
export function RunAnnouncer() {
  const status = useEditor((state) => state.run.status);
  const selected = useEditor((state) => (state.selection.nodes.length === 1 ? state.selection.nodes[0] : undefined));
  const nodeStatus = useEditor((state) => (selected === undefined ? undefined : state.run.nodes.get(selected)?.status));
  const label = useEditor((state) => (selected === undefined ? '' : (indexOf(state.document).nodes.get(selected)?.label ?? '')));
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {status === 'idle' ? '' : `Run: ${statusLabel(status)}.`} {nodeStatus ? `${label}: ${statusLabel(nodeStatus)}.` : ''}
    </p>
  );
}
