import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { AnyManifest } from '@/harness/contract/node';
import { Section } from '../shell/page';
import { AuthorityBadge } from '../ui/authority-badge';
import { Badge } from '../ui/badge';
import { CodeBlock } from '../ui/code-block';
import { Icon } from '../ui/icon';
import { LayerChip, layerColor, layerTint } from '../ui/layer-chip';
import { Markdown } from '../ui/markdown';
import { factsOf } from './node-facts';
import { schemaRows } from './schema-rows';
import { SchemaTable } from './schema-table';

const roles: Record<AnyManifest['role'], string> = {
  start: 'Opens a run',
  end: 'Closes a run',
  step: 'Runs once for each token that arrives',
  fork: 'May leave through several ports at once',
  join: 'Collects the branches of a fork',
  merge: 'Takes the branches of a dispatch in',
  container: 'Runs the nodes inside it',
  policy: 'Attached to other nodes; has no place in execution order',
  annotation: 'For people only; never runs',
};

/** The page has its own heading; the file's first one would say it twice. */
const withoutTitle = (docs: string): string => docs.replace(/^\s*# .*\n/, '');

function Names({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined || names.length === 0) return <span className="text-faint">none</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <code key={name} className="rounded-sm bg-hover px-1 font-mono text-xs leading-5">
          {name}
        </code>
      ))}
    </span>
  );
}

/** The reference of one node type, made from its manifest and its `docs.md`. */
export function NodePage({ manifest, docs }: { manifest: AnyManifest; docs: string | null }) {
  const facts = factsOf(manifest);
  const configRows = schemaRows(facts.configSchema);
  const outputRows = facts.outputSchema === null ? [] : schemaRows(facts.outputSchema);
  return (
    <article className="mx-auto w-full max-w-4xl px-6 pt-6 pb-16">
      <Link href="/nodes" className="mb-4 inline-flex items-center gap-1.5 text-muted hover:text-ink">
        <ArrowLeft aria-hidden size={14} /> All nodes
      </Link>
      <header className="mb-8 flex items-start gap-4">
        <span
          className="relative flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-lg border border-line"
          style={{ background: layerTint(manifest.layer, 14) }}
        >
          <span aria-hidden className="absolute inset-y-0 left-0 w-[3px]" style={{ background: layerColor(manifest.layer) }} />
          <Icon name={manifest.icon} size={22} />
        </span>
        <div className="min-w-0">
          <h1 className="font-semibold text-2xl tracking-tight">{manifest.title}</h1>
          <p className="mt-1 max-w-2xl text-base text-muted">{manifest.summary}</p>
          <div className="mt-3 flex flex-wrap items-center gap-1.5">
            <LayerChip layer={manifest.layer} />
            <AuthorityBadge authority={manifest.authority} />
            <Badge tone="outline">{roles[manifest.role]}</Badge>
            <span className="pl-1 font-mono text-faint text-xs">
              {manifest.id} · version {manifest.version}
            </span>
          </div>
        </div>
      </header>

      {docs === null ? null : <Markdown text={withoutTitle(docs)} className="mb-10 max-w-3xl text-base" />}

      <Section id="ports" title="Ports and data">
        <dl className="grid grid-cols-[120px_1fr] gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
          <dt className="text-muted">Leaves by</dt>
          <dd>
            {facts.ports === null || facts.ports.length === 0 ? (
              <span className="text-faint">
                {facts.portsFollowConfig && facts.ports === null ? 'ports that follow from its config' : 'no port'}
              </span>
            ) : (
              <span className="flex flex-wrap gap-x-3 gap-y-1">
                {facts.ports.map((port) => (
                  <span key={port.id}>
                    <code className="rounded-sm bg-hover px-1 font-mono text-xs leading-5">{port.id}</code>
                    {port.title && port.title !== port.id ? <span className="pl-1 text-muted text-xs">{port.title}</span> : null}
                  </span>
                ))}
              </span>
            )}
            {facts.portsFollowConfig && facts.ports !== null ? (
              <p className="mt-1 text-faint text-xs">As a fresh node has them; they follow its config.</p>
            ) : null}
          </dd>
          <dt className="text-muted">Reads</dt>
          <dd>
            <Names names={manifest.reads} />
          </dd>
          <dt className="text-muted">Writes</dt>
          <dd>
            <Names names={manifest.writes} />
          </dd>
          {manifest.attaches ? (
            <>
              <dt className="text-muted">Attaches to</dt>
              <dd>{manifest.attaches.to.includes('*') ? 'any node that runs' : <Names names={manifest.attaches.to} />}</dd>
            </>
          ) : null}
        </dl>
      </Section>

      <Section id="config" title="Config">
        {configRows.length === 0 ? (
          <p className="text-muted">This node has nothing to set.</p>
        ) : (
          <SchemaTable rows={configRows} label={`Config of ${manifest.title}`} />
        )}
      </Section>

      <Section id="output" title="Output">
        {outputRows.length === 0 ? (
          <p className="text-muted">
            {facts.outputsFollowConfig
              ? 'What it puts out follows from its config.'
              : manifest.role === 'policy' || manifest.role === 'annotation'
                ? 'This node puts nothing out.'
                : 'A value without named fields.'}
          </p>
        ) : (
          <>
            <SchemaTable rows={outputRows} label={`Output of ${manifest.title}`} />
            {facts.outputsFollowConfig ? <p className="mt-1 text-faint text-xs">As a fresh node has it; it follows the config.</p> : null}
          </>
        )}
      </Section>

      <Section id="schema" title="JSON Schema of the config">
        <details className="rounded-lg border border-line bg-surface px-4 py-2">
          <summary className="cursor-pointer py-1 font-medium">Show the schema</summary>
          <CodeBlock code={JSON.stringify(facts.configSchema, null, 2)} language="json" />
        </details>
      </Section>
    </article>
  );
}
