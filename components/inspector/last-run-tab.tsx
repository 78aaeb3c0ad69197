'use client';

import { useQuery } from '@tanstack/react-query';
import { History, Pin, PinOff, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { type Json, jsonSchema } from '@/harness/contract/json';
import type { ActionContext } from '../editor/actions/action';
import { useEditor, useEditorStore } from '../editor/store-context';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { formatDuration, formatRelative } from '../ui/format';
import { JsonView } from '../ui/json-view';
import { StatusBadge } from '../ui/status';
import { Textarea } from '../ui/textarea';

const heading = 'mb-1.5 font-semibold text-ink text-xs';

/** An output typed by a person, to run the rest of the flow on. */
function EditPin({ id, start, onClose }: { id: string; start: Json | undefined; onClose: () => void }) {
  const store = useEditorStore();
  const [text, setText] = useState(() => JSON.stringify(start ?? null, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const save = (): void => {
    try {
      store.getState().pin(id, { output: jsonSchema.parse(JSON.parse(text)), runId: null, at: Date.now() });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'not JSON');
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Textarea
        aria-label="Output to pin, as JSON"
        rows={8}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem ? <p className="text-fail text-xs">Not JSON yet: {problem}</p> : null}
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" icon={<Pin size={12} />} onClick={save}>
          Pin this value
        </Button>
      </div>
    </div>
  );
}

/** What the node did in the run on view: status, decision, output; and the pin that stands in for it. */
export function LastRunTab({ id, context }: { id: string; context: ActionContext }) {
  const trpc = useTRPC();
  const overlay = useEditor((state) => state.run.nodes.get(id));
  const runId = useEditor((state) => state.run.runId);
  const flowId = useEditor((state) => state.document.id);
  const pin = useEditor((state) => state.pins[id]);
  const [editing, setEditing] = useState(false);
  const store = useEditorStore();
  const runs = useQuery(trpc.runs.list.queryOptions({ flowId, limit: 1 }, { enabled: runId === null }));
  const last = runs.data?.runs[0];
  return (
    <div className="flex flex-col gap-4 p-3">
      {pin ? (
        <section className="rounded-md border border-line bg-waiting-soft p-2.5">
          <p className="mb-1.5 flex items-center gap-1.5 font-medium text-xs">
            <Pin aria-hidden size={12} className="text-waiting" />
            Pinned {pin.runId === null ? 'by hand' : `from run ${pin.runId.slice(-6)}`}, {formatRelative(pin.at, Date.now())}
          </p>
          <p className="mb-2 text-muted text-xs">Runs use this value and do not run the node.</p>
          <JsonView value={pin.output} />
          <div className="mt-2 flex gap-2">
            <Button size="sm" icon={<PinOff size={12} />} onClick={() => store.getState().pin(id, null)}>
              Remove the pin
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
              Edit
            </Button>
          </div>
        </section>
      ) : null}
      {editing ? <EditPin id={id} start={pin?.output ?? overlay?.output} onClose={() => setEditing(false)} /> : null}
      {overlay ? (
        <>
          <section className="flex flex-wrap items-center gap-2 text-sm">
            <StatusBadge status={overlay.status} />
            {overlay.durationMs === null ? null : <span className="tabular text-muted">{formatDuration(overlay.durationMs)}</span>}
            {overlay.visits > 1 ? <span className="tabular text-muted">{overlay.visits} visits</span> : null}
            {overlay.port ? <code className="text-muted text-xs">→ {overlay.port}</code> : null}
          </section>
          {overlay.error === null ? null : <p className="rounded-md bg-fail-soft p-2 text-fail text-sm">{overlay.error}</p>}
          {overlay.decision ? (
            <section>
              <h3 className={heading}>Decision</h3>
              <p className="text-sm">
                {overlay.decision.rule} → <b className="font-medium">{overlay.decision.outcome}</b>
              </p>
              <ul className="mt-1 flex flex-col gap-0.5">
                {overlay.decision.because.map((reason) => (
                  <li key={`${reason.name}${JSON.stringify(reason.value)}`} className="tabular font-mono text-muted text-xs">
                    {reason.name} {typeof reason.value === 'string' ? reason.value : JSON.stringify(reason.value)} {reason.operator ?? ''}{' '}
                    {reason.threshold === undefined ? '' : JSON.stringify(reason.threshold)}
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
          {overlay.output === undefined ? null : (
            <section>
              <h3 className={heading}>Output</h3>
              <JsonView value={overlay.output} openTo={2} />
              <div className="mt-2 flex flex-wrap gap-2">
                <Button size="sm" icon={<Pin size={12} />} onClick={() => context.services.pinLast(id)}>
                  Pin this output
                </Button>
                <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
                  Edit and pin
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  icon={<Waypoints size={12} />}
                  onClick={() => context.layout.setState({ dock: true, dockTab: 'trace' })}
                >
                  Open the trace
                </Button>
              </div>
            </section>
          )}
        </>
      ) : (
        <EmptyState icon={<History size={18} />} title={runId === null ? 'Not run yet' : 'Not reached in this run'}>
          {runId === null
            ? 'Run the flow: what this node read, decided and put out appears here.'
            : 'The run on view did not come by this node.'}
          {last ? (
            <div className="mt-3">
              <Button size="sm" onClick={() => context.services.showRun(last.id)}>
                Show the last run ({formatRelative(last.startedAt, Date.now())})
              </Button>
            </div>
          ) : null}
          {pin || editing ? null : (
            <div className="mt-2">
              <Button size="sm" variant="ghost" icon={<Pin size={12} />} onClick={() => setEditing(true)}>
                Pin a value by hand
              </Button>
            </div>
          )}
        </EmptyState>
      )}
    </div>
  );
}
