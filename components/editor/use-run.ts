'use client';

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import type { RunOptions } from '@/harness/trace/events';
import { messageOf } from '../state/api-error';
import { useRunEvents, useStreamItems } from '../state/live';
import { useTRPCClient } from '../state/trpc';
import { toast } from '../ui/toast';
import { idleOverlay } from './run-overlay';
import type { EditorStore } from './store';

export interface RunControl {
  runId: string | null;
  starting: boolean;
  show(runId: string | null): void;
  start(request: { input: Json; workspace?: string; options?: Partial<RunOptions> }): Promise<void>;
  stop(): Promise<void>;
  continue(mode: 'step' | 'run'): Promise<void>;
}

const isActive = (status: string): boolean => status === 'running' || status === 'waiting';

/**
 * The run on view beside the canvas: one that was started here, or in the chat, or was under way when the flow was opened. Runs live on the server; this
 * follows them and never enters the flow's history.
 */
export function useRun(store: EditorStore, flowId: string): RunControl {
  const client = useTRPCClient();
  const [runId, setRunId] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const feed = useRunEvents(runId);

  useEffect(() => {
    const { run, showRun, foldRun } = store.getState();
    if (runId === null) {
      if (run !== idleOverlay) showRun(idleOverlay);
      return;
    }
    if (run.runId !== runId) showRun({ ...idleOverlay, runId, status: 'running' });
    foldRun(feed.events);
    const ended = feed.summary && !isActive(feed.summary.status) ? feed.summary.status : null;
    // A waiting run has no event that says so; its summary does.
    const status = ended ?? feed.summary?.status;
    const now = store.getState().run;
    if (status && now.runId === runId && (now.status === 'running' || now.status === 'waiting') && status !== now.status) {
      showRun({ ...now, status });
    }
  }, [store, runId, feed]);

  // Runs of this flow that are begun elsewhere (the chat, another tab) are followed as they come.
  useStreamItems((item) => {
    if (item.kind === 'run' && item.summary.flowId === flowId && item.summary.id !== runId && item.summary.status === 'running') {
      setRunId((current) => {
        const { run } = store.getState();
        return current !== null && run.status === 'running' ? current : item.summary.id;
      });
    }
  });

  const findActive = useEffectEvent(async () => {
    try {
      const { runs } = await listRuns(client, flowId);
      const active = runs.find((run) => isActive(run.status));
      if (active) setRunId((current) => current ?? active.id);
    } catch {
      // The banner of the shell says when the server is away.
    }
  });
  useEffect(() => {
    void findActive();
  }, []);

  const start: RunControl['start'] = useCallback(
    async ({ input, workspace, options }) => {
      setStarting(true);
      try {
        const { document, pins, breakpoints } = store.getState();
        const answer = await client.runs.start.mutate({
          flowId,
          document,
          input,
          ...(workspace ? { workspace } : {}),
          options: { pins: { ...pins }, breakpoints: [...breakpoints], ...options },
        });
        setRunId(answer.runId);
      } catch (error) {
        toast.error('The run did not start', { description: messageOf(error) });
      } finally {
        setStarting(false);
      }
    },
    [client, flowId, store],
  );
  const stop = useCallback(async () => {
    if (runId === null) return;
    try {
      await client.runs.cancel.mutate({ id: runId });
    } catch (error) {
      toast.error('The run could not be stopped', { description: messageOf(error) });
    }
  }, [client, runId]);
  const proceed = useCallback(
    async (mode: 'step' | 'run') => {
      if (runId === null) return;
      try {
        await client.runs.continue.mutate({ id: runId, mode });
      } catch (error) {
        toast.error('The run could not go on', { description: messageOf(error) });
      }
    },
    [client, runId],
  );
  return { runId, starting, show: setRunId, start, stop, continue: proceed };
}

const listRuns = async (client: ReturnType<typeof useTRPCClient>, flowId: string) => client.runs.list.query({ flowId, limit: 20 });
