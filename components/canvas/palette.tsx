'use client';

import { Search, X } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useId, useMemo, useState } from 'react';
import type { AnyManifest } from '@/harness/contract/node';
import { AuthorityBadge } from '../ui/authority-badge';
import { Icon } from '../ui/icon';
import { layerColor, layerTint } from '../ui/layer-chip';
import { paletteMime } from './palette-mime';
import { groupTypes, searchTypes } from './palette-search';

/** Arrow keys go from entry to entry, also across groups. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-palette-item]')];
  const at = items.indexOf(document.activeElement instanceof HTMLElement ? document.activeElement : document.body);
  const next = items[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function PaletteItem({ manifest, onAdd }: { manifest: AnyManifest; onAdd: (type: string) => void }) {
  const onDragStart = (event: DragEvent): void => {
    event.dataTransfer.setData(paletteMime, manifest.id);
    event.dataTransfer.effectAllowed = 'copy';
  };
  return (
    <button
      type="button"
      draggable
      data-palette-item
      title={manifest.summary}
      aria-label={`Add ${manifest.title}. ${manifest.summary}`}
      className="group flex w-full items-center gap-2 rounded-md border border-transparent px-1.5 py-1 text-left hover:border-line hover:bg-surface focus-visible:bg-surface"
      onDragStart={onDragStart}
      onClick={() => onAdd(manifest.id)}
    >
      <span
        className="flex size-6 shrink-0 items-center justify-center rounded-md"
        style={{ background: layerTint(manifest.layer, 14), color: layerColor(manifest.layer) }}
      >
        <Icon name={manifest.icon} size={14} />
      </span>
      <span className="min-w-0 flex-1 truncate text-ink text-sm">{manifest.title}</span>
      <span className="opacity-60">
        <AuthorityBadge authority={manifest.authority} compact />
      </span>
    </button>
  );
}

export interface PaletteProps {
  onAdd: (type: string) => void;
}

/** Every node type by category. Drag one onto the canvas, click it or press Enter. */
export function Palette({ onAdd }: PaletteProps) {
  const [query, setQuery] = useState('');
  const id = useId();
  const groups = useMemo(() => groupTypes(searchTypes(query)), [query]);
  const found = query.trim() === '' ? null : searchTypes(query);
  return (
    <section aria-label="Node palette" data-own-keys className="flex h-full min-h-0 flex-col bg-sunken" onKeyDown={moveFocus}>
      <div className="shrink-0 p-2">
        <div className="relative">
          <Search aria-hidden size={14} className="absolute top-2 left-2.5 text-faint" />
          <label htmlFor={id} className="sr-only">
            Search node types
          </label>
          <input
            id={id}
            type="text"
            value={query}
            placeholder="Search nodes"
            className="h-8 w-full rounded-md border border-line bg-surface pr-7 pl-8 text-sm outline-none focus-visible:border-ring"
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              const first = found?.[0];
              if (event.key === 'Enter' && first) onAdd(first.id);
              if (event.key === 'Escape' && query !== '') {
                event.stopPropagation();
                setQuery('');
              }
            }}
          />
          {query === '' ? null : (
            <button
              type="button"
              aria-label="Clear the search"
              className="absolute top-1.5 right-1.5 flex size-5 items-center justify-center rounded-sm text-faint hover:text-ink"
              onClick={() => setQuery('')}
            >
              <X aria-hidden size={12} />
            </button>
          )}
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {found ? (
          <>
            {found.map((manifest) => (
              <PaletteItem key={manifest.id} manifest={manifest} onAdd={onAdd} />
            ))}
            {found.length === 0 ? (
              <p className="px-2 py-6 text-center text-faint text-sm">
                No node type matches “{query}”. Try what it should do, such as “approve” or “loop”.
              </p>
            ) : null}
          </>
        ) : (
          groups.map((group) => (
            <div key={group.category} className="mb-2">
              <h3 className="px-1.5 pt-1.5 pb-1 font-medium text-faint text-xs">{group.title}</h3>
              {group.types.map((manifest) => (
                <PaletteItem key={manifest.id} manifest={manifest} onAdd={onAdd} />
              ))}
            </div>
          ))
        )}
      </div>
    </section>
  );
}
