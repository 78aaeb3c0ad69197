'use client';

import { useQueries } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import {
  type LayerBranch,
  type LayerChannel,
  type LayerHistory,
  type LayerPoint,
  layerChannels,
  layerValueAt,
  pointsOf,
} from '@/harness/trace/views/layers/history';
import { type LayerSettings, layerSettings } from '@/harness/trace/views/layers/settings';
import type { ChannelValues } from '@/harness/trace/views/state';
import { catalogue } from '@/nodes/catalog';
import { messageOf } from '../../state/api-error';
import { useTRPC } from '../../state/trpc';
import { useTraceView } from '../trace-context';
import { createLayerFolder } from './layer-folder';

/** Values kept apart are fetched without asking up to this many bytes together. */
const quietLimit = 8_000_000;

const defaults: ChannelValues = Object.fromEntries([...catalogue.channels].map(([id, spec]) => [id, spec.initial]));

export interface LayerFeed {
  history: LayerHistory;
  /** Bytes that wait for a click because they are many; null when nothing waits. */
  waiting: number | null;
  load: () => void;
  /** True while a part that the next events need is under way. */
  loading: boolean;
  problem: string | null;
}

const ofLayers: ReadonlySet<string> = new Set(layerChannels);

/** What nodes wrote into some channels (those of the control layers when left out), folded as the run grows; parts that the log keeps apart are fetched when they are needed. */
export function useLayerFeed(channels: ReadonlySet<string> = ofLayers): LayerFeed {
  const { index } = useTraceView();
  const trpc = useTRPC();
  const [folder] = useState(() => createLayerFolder(channels));
  const [asked, setAsked] = useState(false);
  const start = index.run.start;
  const initial = useMemo((): ChannelValues => {
    const held: ChannelValues = { ...defaults, ...(start?.channels ?? {}) };
    return Object.fromEntries([...channels].flatMap((name) => (held[name] === undefined ? [] : [[name, held[name]]])));
  }, [start, channels]);
  const references = folder.references(index);
  const bytes = references.reduce((sum, reference) => sum + reference.bytes, 0);
  const wanted = asked || bytes <= quietLimit;
  const results = useQueries({
    queries: references.map((reference) => ({
      ...trpc.runs.payload.queryOptions({ hash: reference.$payload }),
      enabled: wanted,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const known = new Map<string, Json>();
  references.forEach((reference, i) => {
    const data = results[i]?.data;
    if (data !== undefined) known.set(reference.$payload, data.json);
  });
  const failed = results.find((result) => result.isError);
  const history = folder.fold(index, initial, known);
  const behind = history.last < index.last;
  return {
    history,
    waiting: behind && !wanted ? bytes : null,
    load: () => setAsked(true),
    loading: behind && wanted && failed === undefined,
    problem: failed === undefined ? null : messageOf(failed.error),
  };
}

/** What every section of the layers view is drawn from. */
export interface LayersView {
  history: LayerHistory;
  branch: LayerBranch | undefined;
  settings: LayerSettings;
  points(channel: LayerChannel): readonly LayerPoint[];
  /** A channel's value at the chosen moment. */
  value(channel: LayerChannel): Json;
  initial(channel: LayerChannel): Json;
  /** The first node of that type in the flow that ran; undefined when none is drawn or the flow is not known. */
  nodeOfType(type: string): { id: string; label: string } | undefined;
}

export const LayersContext = createContext<LayersView | null>(null);

export function useLayers(): LayersView {
  const view = useContext(LayersContext);
  if (view === null) throw new Error('LayersTab is missing above this component');
  return view;
}

/** The view of one branch at the chosen moment. */
export function useLayersView(history: LayerHistory, branch: string): LayersView {
  const { at, document } = useTraceView();
  const nodes = document?.nodes;
  const settings = useMemo(() => layerSettings(nodes ?? []), [nodes]);
  return useMemo(
    () => ({
      history,
      branch: history.branches.get(branch),
      settings,
      points: (channel) => pointsOf(history, branch, channel),
      value: (channel) => layerValueAt(history, { branch, channel, seq: at }),
      initial: (channel) => history.initial[channel] ?? null,
      nodeOfType: (type) => nodes?.find((node) => node.type === type),
    }),
    [history, branch, settings, at, nodes],
  );
}
