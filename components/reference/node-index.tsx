'use client';

import { Search } from 'lucide-react';
import Link from 'next/link';
import { useDeferredValue, useMemo, useState } from 'react';
import { categories } from '@/harness/contract/layers';
import type { AnyManifest } from '@/harness/contract/node';
import { catalogue } from '@/nodes/catalog';
import { Page, Section } from '../shell/page';
import { AuthorityBadge } from '../ui/authority-badge';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { Icon } from '../ui/icon';
import { Input } from '../ui/input';
import { layerColor } from '../ui/layer-chip';
import { Expressions } from './expressions';

const all = [...catalogue.nodes.values()];

function matches(manifest: AnyManifest, words: readonly string[]): boolean {
  const text = [manifest.id, manifest.title, manifest.summary, ...(manifest.keywords ?? [])].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function NodeCard({ manifest }: { manifest: AnyManifest }) {
  return (
    <Link
      href={`/nodes/${encodeURIComponent(manifest.id)}`}
      className="relative flex gap-3 overflow-hidden rounded-lg border border-line bg-surface p-3 transition-[border-color,box-shadow] hover:border-line-strong hover:shadow-pop"
    >
      <span aria-hidden className="absolute inset-y-0 left-0 w-[3px]" style={{ background: layerColor(manifest.layer) }} />
      <span className="mt-0.5 shrink-0 pl-1 text-muted">
        <Icon name={manifest.icon} size={18} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-2">
          <span className="truncate font-medium text-base">{manifest.title}</span>
          <AuthorityBadge authority={manifest.authority} compact />
        </span>
        <span className="block text-muted">{manifest.summary}</span>
      </span>
    </Link>
  );
}

/** Every node type by category, searchable. */
export function NodeIndex() {
  const [query, setQuery] = useState('');
  const settled = useDeferredValue(query);
  const found = useMemo(() => {
    const words = settled.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((manifest) => matches(manifest, words));
  }, [settled]);
  return (
    <Page
      title="Nodes"
      summary="Everything that can be drawn. These pages are made from the same manifests that draw the palette, check the flow and run it."
      actions={
        <div className="relative w-64">
          <Search aria-hidden size={14} className="pointer-events-none absolute top-2.5 left-2.5 text-faint" />
          <Input
            type="search"
            aria-label="Search nodes"
            placeholder="Search nodes"
            className="pl-8"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      }
    >
      <p role="status" className="sr-only">
        {found.length} nodes
      </p>
      {found.length === 0 ? (
        <EmptyState
          icon={<Search size={18} />}
          title="No node matches"
          action={<Button onClick={() => setQuery('')}>Clear the search</Button>}
        >
          Nothing has “{settled}” in its title, summary or keywords.
        </EmptyState>
      ) : null}
      {Object.entries(categories).map(([id, category]) => {
        const manifests = found.filter((manifest) => manifest.category === id);
        if (manifests.length === 0) return null;
        return (
          <Section key={id} id={`category-${id}`} title={category.title}>
            <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {manifests.map((manifest) => (
                <NodeCard key={manifest.id} manifest={manifest} />
              ))}
            </div>
          </Section>
        );
      })}
      {settled === '' ? <Expressions /> : null}
    </Page>
  );
}
