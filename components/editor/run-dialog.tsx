'use client';

import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject, type JsonObject } from '@/harness/contract/json';
import type { RunOptions } from '@/harness/trace/events';
import { useRemembered, useWorkspaceMode, type WorkspaceMode, workspaceKey } from '../chat/local-memory';
import { WorkspacePicker } from '../chat/workspace-picker';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { formatRelative } from '../ui/format';
import { SchemaForm } from '../ui/schema-form';
import { problemsOf } from '../ui/schema-form-model';
import { indexOf } from './document-index';
import { inputLine, inputSchemaOf, sampleInputsOf } from './run-input';
import { useEditor } from './store-context';

export interface RunRequest {
  options?: Partial<RunOptions>;
}

export interface RunDialogProps {
  flowId: string;
  request: RunRequest;
  busy: boolean;
  onClose: () => void;
  onStart: (input: JsonObject, workspace: string, mode: WorkspaceMode) => void;
}

const inputKey = (flowId: string): string => `bridle.input:${flowId}`;

const read = (key: string): string => {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
};

const keep = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Offered afresh next time.
  }
};

const lastInput = (flowId: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(read(inputKey(flowId)));
    // Parsed from JSON, so an object here is a JSON object.
    return isJsonObject(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
};

/** Asks for the run's input with a form made from the flow's input schema; earlier inputs are one click away. */
export function RunDialog({ flowId, request, busy, onClose, onStart }: RunDialogProps) {
  const trpc = useTRPC();
  const document = useEditor((state) => state.document);
  const schema = inputSchemaOf(document);
  const samples = sampleInputsOf(document);
  const runs = useQuery(trpc.runs.list.queryOptions({ flowId, limit: 20 }));
  const [input, setInput] = useState<JsonObject>(() => lastInput(flowId) ?? samples[0] ?? {});
  // One folder per flow, whether it is run from here or from the chat.
  const [workspace, setWorkspace] = useRemembered(workspaceKey(flowId));
  const [mode, setMode] = useWorkspaceMode(flowId);
  const [tried, setTried] = useState(false);
  const problems = problemsOf(schema, input);
  const { nodes } = indexOf(document);
  const labelOf = (id: string | undefined): string => (id === undefined ? '' : (nodes.get(id)?.label ?? id));
  const { from, until } = request.options ?? {};
  const title =
    from === undefined
      ? until === undefined
        ? 'Run the flow'
        : `Run until ${labelOf(until)}`
      : from === until
        ? `Run only ${labelOf(from)}`
        : `Run from ${labelOf(from)}`;

  const seen = new Set<string>();
  const earlier = (runs.data?.runs ?? [])
    .filter((run) => isJsonObject(run.input))
    .filter((run) => {
      const key = JSON.stringify(run.input);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, 6);

  const start = (): void => {
    setTried(true);
    if (problems.size > 0) return;
    keep(inputKey(flowId), JSON.stringify(input));
    onStart(input, workspace, mode);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      size="md"
      footer={
        <>
          <span className="mr-auto">
            <WorkspacePicker value={workspace} onChange={setWorkspace} mode={mode} onMode={setMode} />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon={<Play size={14} />} busy={busy} onClick={start}>
            Run
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          start();
        }}
      >
        <SchemaForm schema={schema} value={input} onChange={setInput} {...(tried ? { problems } : {})} />
        {/* Lets Enter in a one-line field start the run. */}
        <button type="submit" hidden />
      </form>
      {samples.length + earlier.length > 0 ? (
        <div className="mt-4 border-line border-t pt-3">
          <p className="mb-1 font-medium text-faint text-xs">Fill in from</p>
          <ul className="flex flex-col">
            {samples.map((sample) => (
              <li key={`s:${JSON.stringify(sample)}`}>
                <button
                  type="button"
                  className="flex w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover"
                  onClick={() => setInput(sample)}
                >
                  <span className="min-w-0 flex-1 truncate">{inputLine(sample)}</span>
                  <span className="shrink-0 text-faint text-xs">sample</span>
                </button>
              </li>
            ))}
            {earlier.map((run) => (
              <li key={run.id}>
                <button
                  type="button"
                  className="flex w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover"
                  onClick={() => {
                    if (isJsonObject(run.input)) setInput(run.input);
                    setWorkspace(run.workspace ?? '');
                  }}
                >
                  <span className="min-w-0 flex-1 truncate">{inputLine(run.input)}</span>
                  <span className="shrink-0 text-faint text-xs">{formatRelative(run.startedAt, Date.now())}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Dialog>
  );
}
