import MiniSearch from 'minisearch';
import { type CategoryId, categories } from '@/harness/contract/layers';
import type { AnyManifest } from '@/harness/contract/node';
import { catalogue } from '@/nodes/catalog';

export interface PaletteGroup {
  category: CategoryId;
  title: string;
  types: readonly AnyManifest[];
}

const all: readonly AnyManifest[] = [...catalogue.nodes.values()];

const index = new MiniSearch<{ id: string; title: string; summary: string; keywords: string; category: string }>({
  fields: ['title', 'keywords', 'summary', 'category'],
  searchOptions: { boost: { title: 4, keywords: 2 }, prefix: true, fuzzy: (term) => (term.length > 3 ? 0.25 : false), combineWith: 'AND' },
});
index.addAll(
  all.map((manifest) => ({
    id: manifest.id,
    title: manifest.title,
    summary: manifest.summary,
    keywords: [manifest.id, ...(manifest.keywords ?? [])].join(' '),
    category: categories[manifest.category].title,
  })),
);

/** Node types that match, best first; all in palette order when nothing is typed. */
export function searchTypes(query: string, among: readonly AnyManifest[] = all): readonly AnyManifest[] {
  if (query.trim() === '') return among;
  const allowed = new Map(among.map((manifest) => [manifest.id, manifest]));
  return index
    .search(query)
    .map((hit) => allowed.get(String(hit.id)))
    .filter((manifest): manifest is AnyManifest => manifest !== undefined);
}

/** Types by category in palette order; empty categories are left out. */
export function groupTypes(types: readonly AnyManifest[]): PaletteGroup[] {
  // Object.entries loses the key type that `categories` has.
  return (Object.entries(categories) as [CategoryId, { title: string }][])
    .map(([category, { title }]) => ({ category, title, types: types.filter((manifest) => manifest.category === category) }))
    .filter((group) => group.types.length > 0);
}

export const allTypes = all;
