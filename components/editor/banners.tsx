'use client';

import { CloudAlert, Pause, Pin } from 'lucide-react';
import { useState } from 'react';
import { canonicalText } from '@/harness/flow/canonical';
import { messageOf } from '../state/api-error';
import { useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { formatRelative } from '../ui/format';
import { toast } from '../ui/toast';
import { useNow } from '../ui/use-now';
import type { ActionContext } from './actions/action';
import type { Autosave } from './autosave';
import { indexOf } from './document-index';
import { useEditor } from './store-context';

const bar = 'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5 text-sm';

/** Somebody else saved this flow: both copies are kept, and the person says which goes on (BR-19, BR-23). */
function ConflictBanner({ saving, context }: { saving: { current: Autosave | null }; context: ActionContext }) {
  const client = useTRPCClient();
  const conflict = useEditor((state) => state.save.conflict);
  const [busy, setBusy] = useState(false);
  if (!conflict) return null;
  const copy = async (): Promise<void> => {
    setBusy(true);
    try {
      const mine = context.editor.getState().document;
      const { id } = await client.flows.import.mutate({ text: canonicalText(mine), name: `${mine.name} (my copy)` });
      saving.current?.takeTheirs();
      toast.success('Your version is kept as a copy', { description: 'It is open now; the original shows what was saved by the other.' });
      context.services.navigate(`/flows/${encodeURIComponent(id)}`);
    } catch (error) {
      toast.error('The copy was not made', { description: messageOf(error) });
    }
    setBusy(false);
  };
  return (
    <div role="alert" className={`${bar} bg-warn-soft text-ink`}>
      <CloudAlert aria-hidden size={16} className="text-warn" />
      <span className="min-w-0 flex-1">
        This flow was saved elsewhere meanwhile (revision {conflict.revision}). Your edits are kept here and not saved yet.
      </span>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" variant="ghost" onClick={() => context.layout.setState({ dialog: 'compare' })}>
          See the differences
        </Button>
        <Button size="sm" onClick={() => saving.current?.takeTheirs()}>
          Reload theirs
        </Button>
        <Button size="sm" onClick={() => void saving.current?.keepMine()}>
          Overwrite with mine
        </Button>
        <Button size="sm" variant="primary" busy={busy} onClick={() => void copy()}>
          Save mine as a copy
        </Button>
      </span>
    </div>
  );
}

function FailedBanner({ saving }: { saving: { current: Autosave | null } }) {
  const save = useEditor((state) => state.save);
  if (save.status !== 'failed') return null;
  return (
    <div role="alert" className={`${bar} bg-fail-soft text-ink`}>
      <CloudAlert aria-hidden size={16} className="text-fail" />
      <span className="min-w-0 flex-1">Your edits are kept in this browser and not saved yet. {save.message}</span>
      <Button size="sm" onClick={() => void saving.current?.flush()}>
        Save again
      </Button>
    </div>
  );
}

/** As long as a pin is active, a run is not what the flow alone would do; that must be seen (BR-73). */
function PinBanner({ context }: { context: ActionContext }) {
  const pins = useEditor((state) => state.pins);
  const document = useEditor((state) => state.document);
  const now = useNow(60_000);
  const entries = Object.entries(pins);
  if (entries.length === 0) return null;
  const { nodes } = indexOf(document);
  return (
    <div role="status" className={`${bar} bg-waiting-soft text-ink`}>
      <Pin aria-hidden size={14} className="text-waiting" />
      <span className="min-w-0 flex-1 truncate">
        {entries.length === 1
          ? 'A pinned output is used instead of running: '
          : `${entries.length} pinned outputs are used instead of running: `}
        {entries.map(([id, pin], at) => (
          <span key={id}>
            {at > 0 ? ', ' : ''}
            <button type="button" className="font-medium underline underline-offset-2" onClick={() => context.editor.getState().goTo(id)}>
              {nodes.get(id)?.label ?? id}
            </button>{' '}
            <span className="text-muted">
              ({pin.runId === null ? 'typed' : `run ${pin.runId.slice(-6)}`}, {formatRelative(pin.at, now)})
            </span>
          </span>
        ))}
      </span>
      <Button size="sm" onClick={() => context.editor.getState().setPins({})}>
        Remove all pins
      </Button>
    </div>
  );
}

/** A breakpoint, or a step before, holds the run: step or go on. */
function BreakpointBanner({ context }: { context: ActionContext }) {
  const stopped = useEditor((state) => {
    if (state.run.status !== 'waiting') return null;
    for (const [id, node] of state.run.nodes) if (node.status === 'waiting' && node.held) return id;
    return null;
  });
  const atBreakpoint = useEditor((state) => stopped !== null && state.breakpoints.includes(stopped));
  const label = useEditor((state) => (stopped === null ? '' : (indexOf(state.document).nodes.get(stopped)?.label ?? stopped)));
  if (stopped === null) return null;
  return (
    <div role="status" className={`${bar} bg-waiting-soft text-ink`}>
      <Pause aria-hidden size={14} className="text-waiting" />
      <span className="min-w-0 flex-1">
        Stopped before <b className="font-medium">{label}</b>
        {atBreakpoint ? ' by a breakpoint.' : '.'}
      </span>
      <Button size="sm" onClick={() => context.services.continue('step')}>
        Step
      </Button>
      <Button size="sm" variant="primary" onClick={() => context.services.continue('run')}>
        Continue
      </Button>
    </div>
  );
}

export interface BannersProps {
  saving: { current: Autosave | null };
  flowId: string;
  context: ActionContext;
}

export function Banners({ saving, context }: BannersProps) {
  return (
    <>
      <ConflictBanner saving={saving} context={context} />
      <FailedBanner saving={saving} />
      <PinBanner context={context} />
      <BreakpointBanner context={context} />
    </>
  );
}
