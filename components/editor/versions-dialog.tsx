'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { GitCompare, History, RotateCcw, Save } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import type { FlowDocument } from '@/harness/flow/schema';
import { Canvas } from '../canvas/canvas';
import { CanvasUiProvider } from '../canvas/canvas-ui';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { formatCount, formatRelative } from '../ui/format';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { useNow } from '../ui/use-now';
import { diffFlows, type FieldChange, isSame, type Mark, marksOf, mergedForDrawing } from './flow-diff';
import { createEditorStore } from './store';
import { EditorStoreProvider, useEditor, useEditorStore } from './store-context';

const tone: Record<Mark, 'ok' | 'fail' | 'warn'> = { added: 'ok', removed: 'fail', changed: 'warn' };
const word: Record<Mark, string> = { added: 'Added', removed: 'Removed', changed: 'Changed' };

const shown = (value: Json | undefined): string =>
  value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);

function Field({ change }: { change: FieldChange }) {
  return (
    <div className="mt-1 rounded-md bg-sunken p-2 font-mono text-xs">
      <p className="text-faint">{change.path}</p>
      <p className="whitespace-pre-wrap break-words text-fail">− {shown(change.before)}</p>
      <p className="whitespace-pre-wrap break-words text-ok">+ {shown(change.after)}</p>
    </div>
  );
}

/** What differs between two states, on a drawing that holds both and as a list. Positions do not count. */
export function FlowComparison({ before, after }: { before: FlowDocument; after: FlowDocument }) {
  const diff = useMemo(() => diffFlows(before, after), [before, after]);
  const [store] = useState(() => createEditorStore({ document: mergedForDrawing(before, after), readOnly: true }));
  const [marks] = useState(() => marksOf(diff));
  useState(() => store.setState({ marks }));
  if (isSame(diff)) {
    return (
      <EmptyState icon={<GitCompare size={18} />} title="No differences">
        Both do the same; at most nodes were moved.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="h-[38vh] overflow-hidden rounded-lg border border-line">
        <EditorStoreProvider store={store}>
          <CanvasUiProvider>
            <Canvas minimap={false} />
          </CanvasUiProvider>
        </EditorStoreProvider>
      </div>
      <ul className="flex flex-col gap-2">
        {diff.nodes.map((change) => (
          <li key={change.id}>
            <button type="button" className="flex items-center gap-2 text-left text-sm" onClick={() => store.getState().goTo(change.id)}>
              <Badge tone={tone[change.mark]}>{word[change.mark]}</Badge>
              <span className="font-medium">{change.label || change.id}</span>
            </button>
            {change.fields.map((field) => (
              <Field key={field.path} change={field} />
            ))}
          </li>
        ))}
        {diff.edges.map((change) => (
          <li key={change.id} className="flex items-center gap-2 text-sm">
            <Badge tone={tone[change.mark]}>{word[change.mark]}</Badge>
            <span>{change.text}</span>
          </li>
        ))}
        {diff.settings.map((change) => (
          <li key={change.path}>
            <Field change={change} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The local draft beside what somebody else saved. */
export function CompareDialog({ onClose }: { onClose: () => void }) {
  const mine = useEditor((state) => state.document);
  const theirs = useEditor((state) => state.save.conflict?.theirs ?? state.save.savedDocument);
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Theirs and yours"
      description="From what is stored on the server to what you see here."
      size="lg"
    >
      <FlowComparison before={theirs} after={mine} />
    </Dialog>
  );
}

function Comparison({ flowId, version }: { flowId: string; version: number }) {
  const trpc = useTRPC();
  const stored = useQuery(trpc.flows.getVersion.queryOptions({ id: flowId, version }));
  const document = useEditor((state) => state.document);
  if (stored.error) return <p className="text-fail text-sm">{messageOf(stored.error)}</p>;
  return stored.data ? (
    <FlowComparison before={stored.data.document} after={document} />
  ) : (
    <p className="text-faint text-sm">Loading the version</p>
  );
}

/** Named versions: save one, compare with it, go back to it. */
export function VersionsDialog({ flowId, onClose }: { flowId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const store = useEditorStore();
  const now = useNow();
  const versions = useQuery(trpc.flows.versions.queryOptions({ id: flowId }));
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [compared, setCompared] = useState<number | null>(null);

  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { document, save: state } = store.getState();
      // A version is of the stored flow: what is on screen is stored first.
      if (document !== state.savedDocument) {
        const { revision } = await client.flows.save.mutate({ id: flowId, document, baseRevision: state.revision });
        store.getState().setSave({ revision, savedDocument: document, status: 'saved' });
      }
      await client.flows.saveVersion.mutate({ id: flowId, name: name.trim() });
      setName('');
      await queries.invalidateQueries({ queryKey: trpc.flows.versions.queryKey({ id: flowId }) });
    } catch (error) {
      toast.error('The version was not saved', { description: messageOf(error) });
    }
    setBusy(false);
  };
  const restore = async (version: number): Promise<void> => {
    try {
      const { document } = await client.flows.getVersion.query({ id: flowId, version });
      // An edit like any other: one undo brings back what was there.
      store.getState().edit('Restore a version', (current) => ({ ...document, id: current.id, name: current.name }));
      toast.success('The version is back on the canvas', { description: 'Undo returns to what was there before.' });
      onClose();
    } catch (error) {
      toast.error('The version could not be restored', { description: messageOf(error) });
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Versions"
      description="Every edit is saved by itself. A version gives one state a name to come back to."
      size={compared === null ? 'md' : 'xl'}
    >
      <form
        className="mb-4 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void save();
        }}
      >
        <Input
          aria-label="Name of the version"
          placeholder="Name this state"
          value={name}
          maxLength={300}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" icon={<Save size={14} />} busy={busy} disabled={name.trim() === ''}>
          Save version
        </Button>
      </form>
      {versions.error ? <p className="text-fail text-sm">{messageOf(versions.error)}</p> : null}
      {versions.data?.length === 0 ? (
        <EmptyState icon={<History size={18} />} title="No versions yet">
          Name the current state above, before you try something.
        </EmptyState>
      ) : null}
      <ul className="flex flex-col">
        {(versions.data ?? []).map((version) => (
          <li key={version.version} className="border-line border-b py-2 last:border-0">
            <div className="flex items-center gap-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium text-sm">{version.name}</p>
                <p className="text-faint text-xs">
                  {formatRelative(version.createdAt, now)} · {formatCount(version.nodeCount, 'node')}
                </p>
              </div>
              <Button
                size="sm"
                variant="ghost"
                icon={<GitCompare size={13} />}
                aria-expanded={compared === version.version}
                onClick={() => setCompared(compared === version.version ? null : version.version)}
              >
                Compare
              </Button>
              <Button size="sm" icon={<RotateCcw size={13} />} onClick={() => void restore(version.version)}>
                Restore
              </Button>
            </div>
            {compared === version.version ? (
              <div className="mt-3">
                <Comparison flowId={flowId} version={version.version} />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
