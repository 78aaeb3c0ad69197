import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findManifest, manifestIds } from '@/components/reference/manifests';
import { NodePage } from '@/components/reference/node-page';

export const dynamicParams = false;

export function generateStaticParams() {
  return manifestIds.map((id) => ({ id }));
}

interface Props {
  params: Promise<{ id: string }>;
}

/** The page beside the code, as its author wrote it; the reference stands without it too. */
async function docsOf(category: string, id: string): Promise<string | null> {
  try {
    return await readFile(join(process.cwd(), 'nodes', category, id, 'docs.md'), 'utf8');
  } catch {
    return null;
  }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const manifest = findManifest(decodeURIComponent((await params).id));
  return manifest ? { title: `${manifest.title} node`, description: manifest.summary } : {};
}

export default async function NodeReference({ params }: Props) {
  const manifest = findManifest(decodeURIComponent((await params).id));
  if (manifest === undefined) notFound();
  return <NodePage manifest={manifest} docs={await docsOf(manifest.category, manifest.id)} />;
}
