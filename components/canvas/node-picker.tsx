'use client';

import { Command } from 'cmdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useEditorStore } from '../editor/store-context';
import { Icon } from '../ui/icon';
import { layerColor, layerTint } from '../ui/layer-chip';
import { type PickerRequest, useCanvasUi, useCanvasUiStore } from './canvas-ui';
import { portThatFits } from './connection-rules';
import { allTypes, groupTypes, searchTypes } from './palette-search';

const size = { width: 280, height: 340 };

export interface NodePickerProps {
  onPick: (type: string, request: PickerRequest) => void;
}

/** The list of node types at a point of the canvas, holding only what the open connection can lead to. */
export function NodePicker({ onPick }: NodePickerProps) {
  const request = useCanvasUi((state) => state.picker);
  return request ? <OpenPicker key={`${request.screen.x}:${request.screen.y}`} request={request} onPick={onPick} /> : null;
}

function OpenPicker({ request, onPick }: NodePickerProps & { request: PickerRequest }) {
  const ui = useCanvasUiStore();
  const editor = useEditorStore();
  const [query, setQuery] = useState('');
  const panel = useRef<HTMLDivElement>(null);
  const types = useMemo(() => {
    const { document } = editor.getState();
    const { connection, edge } = request;
    if (connection) return allTypes.filter((manifest) => portThatFits(document, connection, manifest) !== null);
    // On an edge only what control can pass through; on the canvas anything.
    return edge === null ? allTypes : allTypes.filter((manifest) => ['step', 'fork', 'container', 'join', 'merge'].includes(manifest.role));
  }, [editor, request]);
  const groups = groupTypes(searchTypes(query, types));
  const close = (): void => {
    ui.setState({ picker: null });
    document.querySelector<HTMLElement>('.react-flow__node.selected')?.focus({ preventScroll: true });
  };

  useEffect(() => {
    const onDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !panel.current?.contains(event.target)) ui.setState({ picker: null });
    };
    // The press that opened it is still on its way.
    const timer = setTimeout(() => document.addEventListener('pointerdown', onDown, true), 0);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', onDown, true);
    };
  }, [ui]);

  const left = Math.max(8, Math.min(request.screen.x + 8, innerWidth - size.width - 8));
  const top = Math.max(8, Math.min(request.screen.y - 20, innerHeight - size.height - 8));
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Add a node"
      className="fixed z-40 animate-enter overflow-hidden rounded-lg border border-line bg-surface shadow-pop"
      style={{ left, top, width: size.width }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <Command shouldFilter={false} loop label="Node types">
        <Command.Input
          autoFocus
          value={query}
          onValueChange={setQuery}
          placeholder={request.connection ? 'Connect to a new node' : 'Add a node'}
          className="h-10 w-full border-line border-b bg-transparent px-3 text-sm outline-none"
        />
        <Command.List className="max-h-72 overflow-y-auto p-1">
          <Command.Empty className="px-3 py-6 text-center text-faint text-sm">Nothing that fits here matches.</Command.Empty>
          {groups.map((group) => (
            <Command.Group
              key={group.category}
              heading={group.title}
              className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
            >
              {group.types.map((manifest) => (
                <Command.Item
                  key={manifest.id}
                  value={manifest.id}
                  onSelect={() => {
                    ui.setState({ picker: null });
                    onPick(manifest.id, request);
                  }}
                  className="flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-hover"
                >
                  <span
                    className="flex size-6 shrink-0 items-center justify-center rounded-md"
                    style={{ background: layerTint(manifest.layer, 14), color: layerColor(manifest.layer) }}
                  >
                    <Icon name={manifest.icon} size={14} />
                  </span>
                  <span className="min-w-0">
                    <span className="block truncate">{manifest.title}</span>
                    <span className="block truncate text-faint text-xs">{manifest.summary}</span>
                  </span>
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </div>
  );
}
