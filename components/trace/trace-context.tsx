'use client';

import { createContext, useContext } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import type { TraceIndex } from '@/harness/trace/views/trace-index';
import type { LiveText } from '../state/run-buffer';

export type TraceTab = 'lanes' | 'decisions' | 'state' | 'layers' | 'plan' | 'changes' | 'spans' | 'events';

/** What the details pane shows. A call is known by the seq of its first event. */
export type TraceSelection = { kind: 'run' } | { kind: 'visit'; visit: string } | { kind: 'call'; visit: string; seq: number };

export interface TraceView {
  runId: string;
  index: TraceIndex;
  texts: ReadonlyMap<number, LiveText>;
  /** The chosen moment; the last event while the view follows the run. */
  at: number;
  /** True while no moment is chosen. */
  following: boolean;
  setMoment(seq: number | null): void;
  selection: TraceSelection | null;
  select(selection: TraceSelection | null): void;
  /** Selects a visit everywhere: details, lanes, span tree and, through the caller, the canvas. */
  openVisit(visit: string): void;
  selectedNode: string | null;
  tab: TraceTab;
  setTab(tab: TraceTab): void;
  /** The exact flow that ran; undefined until it has been read. */
  document: FlowDocument | undefined;
  /** A node's label in the flow that ran. */
  titleOf(nodeId: string): string;
}

export const TraceContext = createContext<TraceView | null>(null);

export function useTraceView(): TraceView {
  const view = useContext(TraceContext);
  if (view === null) throw new Error('TracePanel is missing above this component');
  return view;
}
