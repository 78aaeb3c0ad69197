'use client';

import { ArrowRight, CornerDownRight } from 'lucide-react';
import { referenceText } from '@/harness/expression/reserved';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import { dataEdges } from '../canvas/data-lens';
import { indexOf } from '../editor/document-index';
import { useEditor, useEditorStore } from '../editor/store-context';
import { CopyButton } from '../ui/copy-button';
import { fieldsOf, outputSchemaOfNode, pathText, typeWord } from './upstream';

const heading = 'mb-1.5 font-semibold text-ink text-xs';

/** Where control goes, what comes out typed, and who reads and writes what. */
export function PortsTab({ id }: { id: string }) {
  const document = useEditor((state) => state.document);
  const store = useEditorStore();
  const { nodes, outgoing, incoming } = indexOf(document);
  const node = nodes.get(id);
  if (!node) return null;
  const model = cardModelOf(node, catalogue);
  const schema = outputSchemaOfNode(document, id);
  const data = dataEdges(document, catalogue, new Set([id]));
  const link = (target: string, text: string) => (
    <button
      key={target}
      type="button"
      className="truncate text-left text-sm underline-offset-2 hover:underline"
      onClick={() => store.getState().goTo(target)}
    >
      {text}
    </button>
  );
  const nameOf = (other: string): string => nodes.get(other)?.label || other;
  const out = outgoing.get(id) ?? [];
  const ports = [...model.ports.map((port) => port.id), ...(model.fails ? ['error'] : [])];
  return (
    <div className="flex flex-col gap-4 p-3">
      {ports.length > 0 ? (
        <section>
          <h3 className={heading}>Ports</h3>
          <ul className="flex flex-col gap-1">
            {ports.map((port) => {
              const edges = out.filter((edge) => (edge.port ?? 'next') === port);
              return (
                <li key={port} className="flex items-start gap-2">
                  <code className={`w-24 shrink-0 truncate text-xs ${port === 'error' ? 'text-fail' : 'text-muted'}`}>{port}</code>
                  <ArrowRight aria-hidden size={12} className="mt-1 shrink-0 text-faint" />
                  <span className="flex min-w-0 flex-col">
                    {edges.length === 0 ? (
                      <span className="text-faint text-sm">{port === 'error' ? 'fails the run' : 'ends here'}</span>
                    ) : (
                      edges.map((edge) => link(edge.target, nameOf(edge.target)))
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      ) : null}
      {(incoming.get(id) ?? []).length > 0 ? (
        <section>
          <h3 className={heading}>Comes from</h3>
          <ul>
            {(incoming.get(id) ?? []).map((edge) => (
              <li key={edge.id} className="flex items-center gap-1.5 text-sm">
                <CornerDownRight aria-hidden size={12} className="text-faint" />
                {link(edge.source, `${nameOf(edge.source)} · ${edge.port ?? 'next'}`)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {model.manifest && model.ports.length + (model.role === 'end' ? 1 : 0) > 0 ? (
        <section>
          <h3 className={heading}>Puts out</h3>
          <ul className="flex flex-col">
            <li className="flex min-h-6 items-center gap-2">
              <code className="truncate text-xs">{referenceText(id)}</code>
              <span className="text-faint text-xs">{typeWord(schema)}</span>
              <span className="ml-auto">
                <CopyButton text={() => `{{${referenceText(id)}}}`} label="Copy the reference" />
              </span>
            </li>
            {fieldsOf(schema).map((field) => (
              <li key={field.path.join('.')} className="flex min-h-6 items-center gap-2 pl-3">
                <code className="truncate text-xs">{pathText(field.path)}</code>
                <span className="truncate text-faint text-xs">{field.type}</span>
                <span className="ml-auto">
                  <CopyButton text={() => `{{${referenceText(id)}${pathText(field.path)}}}`} label="Copy the reference" />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {data.length > 0 ? (
        <section>
          <h3 className={heading}>Data</h3>
          <ul className="flex flex-col gap-1">
            {data.map((edge) => (
              <li key={`${edge.from}${edge.to}${edge.kind}`} className="text-sm">
                <span className="text-muted">{edge.to === id ? 'reads ' : 'is read by '}</span>
                {link(edge.to === id ? edge.from : edge.to, nameOf(edge.to === id ? edge.from : edge.to))}{' '}
                <code className="text-faint text-xs">{edge.labels.join(', ')}</code>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {model.manifest?.reads?.length || model.manifest?.writes?.length ? (
        <section>
          <h3 className={heading}>Channels</h3>
          {model.manifest.reads?.length ? (
            <p className="text-muted text-sm">
              Reads <code className="text-xs">{model.manifest.reads.join(', ')}</code>
            </p>
          ) : null}
          {model.manifest.writes?.length ? (
            <p className="text-muted text-sm">
              Writes <code className="text-xs">{model.manifest.writes.join(', ')}</code>
            </p>
          ) : null}
        </section>
      ) : null}
    </div>
  );
}
