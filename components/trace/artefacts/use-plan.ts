'use client';

import { createContext, useContext, useMemo } from 'react';
import type { Json } from '@/harness/contract/json';
import { entryAt, type LayerHistory, type LayerPoint, layerValueAt, pointsOf } from '@/harness/trace/views/layers/history';
import { useTraceView } from '../trace-context';
import type { PlanChannel } from './plan-channels';

/** The artefacts as they stood at the chosen moment. */
export interface PlanView {
  points(channel: PlanChannel): readonly LayerPoint[];
  /** The last write at the moment; undefined while nobody has written the channel. */
  written(channel: PlanChannel): LayerPoint | undefined;
  value(channel: PlanChannel): Json;
}

export const PlanContext = createContext<PlanView | null>(null);

export function usePlan(): PlanView {
  const view = useContext(PlanContext);
  if (view === null) throw new Error('PlanTab is missing above this component');
  return view;
}

export function usePlanView(history: LayerHistory, branch: string): PlanView {
  const { at } = useTraceView();
  return useMemo(
    () => ({
      points: (channel) => pointsOf(history, branch, channel),
      written: (channel) => entryAt(pointsOf(history, branch, channel), at),
      value: (channel) => layerValueAt(history, { branch, channel, seq: at }),
    }),
    [history, branch, at],
  );
}
