'use client';

import { useDeferredValue, useState } from 'react';
import type { TraceIndex } from '@/harness/trace/views/trace-index';
import { useRunEvents } from '../state/live';
import type { LiveText } from '../state/run-buffer';
import { createTraceFolder } from './trace-folder';

export interface LiveTrace {
  index: TraceIndex;
  /** Streamed text by the seq of its `model-start`. */
  texts: ReadonlyMap<number, LiveText>;
  loaded: boolean;
  problem: string | null;
}

/** The trace of a run as it stands, folded as it grows. Drawing gives way to input when events come faster than they can be drawn. */
export function useTrace(runId: string | null): LiveTrace {
  const feed = useDeferredValue(useRunEvents(runId));
  const [folder] = useState(createTraceFolder);
  const ofThisRun = feed.events.length === 0 || feed.events[0]?.runId === runId;
  const index = folder.fold(runId, ofThisRun ? feed.events : []);
  return { index, texts: feed.texts, loaded: feed.loaded, problem: feed.problem };
}
