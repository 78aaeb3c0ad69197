'use client';

import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { catalogue } from '@/nodes/catalog';
import { AuthorityBadge } from '../ui/authority-badge';
import { LayerChip } from '../ui/layer-chip';
import { formOf } from './form-model';

/** What the type is for and what each setting means, from the manifest itself. */
export function DocsTab({ type }: { type: string }) {
  const manifest = catalogue.nodes.get(type);
  if (!manifest) return <p className="p-3 text-muted text-sm">This build knows nothing about the type {type}.</p>;
  return (
    <div className="flex flex-col gap-4 p-3">
      <div>
        <p className="text-sm">{manifest.summary}</p>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <LayerChip layer={manifest.layer} />
          <AuthorityBadge authority={manifest.authority} />
          <code className="text-faint text-xs">
            {manifest.id} v{manifest.version}
          </code>
        </p>
      </div>
      <dl className="flex flex-col gap-2.5">
        {formOf(manifest).map((field) => (
          <div key={field.key}>
            <dt className="text-sm">
              <span className="font-medium">{field.title}</span> <code className="text-faint text-xs">{field.key}</code>
            </dt>
            {field.help ? <dd className="text-muted text-xs">{field.help}</dd> : null}
            {field.default === undefined || field.default === null || field.default === '' ? null : (
              <dd className="truncate font-mono text-faint text-xs">default {JSON.stringify(field.default)}</dd>
            )}
          </div>
        ))}
      </dl>
      <Link href={`/nodes/${manifest.id}`} className="flex items-center gap-1 text-accent text-sm hover:underline">
        Open the reference page <ExternalLink aria-hidden size={12} />
      </Link>
    </div>
  );
}
