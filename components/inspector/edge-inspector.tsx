'use client';

import { Repeat, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { brokenEdges } from '@/harness/flow/connect-check';
import { defaultTraversals } from '@/harness/flow/edits/edges';
import { catalogue } from '@/nodes/catalog';
import { removeItems, setCap } from '../editor/change-edits';
import { diagnosticsIndex } from '../editor/diagnostics-index';
import { indexOf } from '../editor/document-index';
import { useEditor, useEditorStore } from '../editor/store-context';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

/** An edge: from where to where, and how often one run may take it. */
export function EdgeInspector({ id }: { id: string }) {
  const document = useEditor((state) => state.document);
  const readOnly = useEditor((state) => state.readOnly);
  const problems = useEditor((state) => diagnosticsIndex(state.compiled).byEdge.get(id));
  const taken = useEditor((state) => state.run.edges.get(id));
  const store = useEditorStore();
  const [draft, setDraft] = useState<string | null>(null);
  const { edges, nodes } = indexOf(document);
  const edge = edges.get(id);
  if (!edge) return <p className="p-4 text-faint text-sm">This edge is gone.</p>;
  const broken = brokenEdges(document, catalogue).find((entry) => entry.edge.id === id);
  const nameOf = (node: string): string => nodes.get(node)?.label || node;
  const cap = edge.maxTraversals;
  const write = (text: string): void => {
    setDraft(text);
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1)
      store.getState().edit('Change the cap', (current) => setCap(current, id, number), { burst: `${id}:cap` });
  };
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-3">
      <header>
        <h2 className="font-semibold text-base">
          {edge.kind === 'attach' ? 'Policy attachment' : cap === undefined ? 'Edge' : 'Loop edge'}
        </h2>
        <p className="mt-1 text-muted text-sm">
          <button type="button" className="underline-offset-2 hover:underline" onClick={() => store.getState().goTo(edge.source)}>
            {nameOf(edge.source)}
          </button>
          {edge.kind === 'attach' ? ' guards ' : <code className="text-xs"> · {edge.port ?? 'next'} → </code>}
          <button type="button" className="underline-offset-2 hover:underline" onClick={() => store.getState().goTo(edge.target)}>
            {nameOf(edge.target)}
          </button>
        </p>
      </header>
      {broken ? (
        <p className="rounded-md bg-fail-soft p-2 text-fail text-sm">
          {broken.message} The edge is kept; mend or delete it before running.
        </p>
      ) : null}
      {(problems ?? [])
        .filter((problem) => problem.message !== broken?.message)
        .map((problem) => (
          <p key={problem.message} className={`text-sm ${problem.severity === 'error' ? 'text-fail' : 'text-warn'}`}>
            {problem.message}
          </p>
        ))}
      {edge.kind === 'flow' ? (
        cap === undefined ? (
          <Button
            size="sm"
            icon={<Repeat size={13} />}
            disabled={readOnly}
            onClick={() => store.getState().edit('Set a cap', (current) => setCap(current, id, defaultTraversals))}
          >
            Limit how often it is taken
          </Button>
        ) : (
          <Field id="edge-cap" label="At most, per run" help="Reaching it ends the run with the outcome “limit”, naming this edge.">
            <Input
              id="edge-cap"
              type="number"
              min={1}
              max={1_000_000}
              step={1}
              className="tabular"
              value={draft ?? String(cap)}
              disabled={readOnly}
              aria-describedby="edge-cap-note"
              onChange={(event) => write(event.target.value)}
              onBlur={() => {
                setDraft(null);
                store.getState().endBurst();
              }}
            />
          </Field>
        )
      ) : null}
      {taken === undefined ? null : (
        <p className="text-muted text-sm">Taken {taken === 1 ? 'once' : `${taken} times`} in the run on view.</p>
      )}
      {readOnly ? null : (
        <Button
          size="sm"
          variant="danger-ghost"
          icon={<Trash2 size={13} />}
          onClick={() => store.getState().edit('Delete the edge', (current) => removeItems(current, { nodes: [], edges: [id] }))}
        >
          Delete this edge
        </Button>
      )}
    </div>
  );
}
