import type { Json } from '@/harness/contract/json';
import { emptyLayers, extendLayers, type LayerHistory } from '@/harness/trace/views/layers/history';
import type { ChannelValues } from '@/harness/trace/views/state';
import type { TraceIndex } from '@/harness/trace/views/trace-index';
import type { PayloadReference } from '@/server/api-types';
import { fillPayloads, payloadsIn } from '../payload-refs';

/** Long texts may stay apart, their beginning is enough; a list or an object is needed whole to apply later changes to. */
const isStructure = (reference: PayloadReference): boolean => /^\s*[[{]/.test(reference.preview);

/** Follows a growing index: every event is looked at once, whatever comes in between. */
export interface LayerFolder {
  /** Values kept apart that the views need, each once, in the order of the log. */
  references(index: TraceIndex): readonly PayloadReference[];
  fold(index: TraceIndex, initial: ChannelValues, known: ReadonlyMap<string, Json>): LayerHistory;
}

/** `channels` are the ones to follow. */
export function createLayerFolder(channels: ReadonlySet<string>): LayerFolder {
  let seen = 0;
  let references: readonly PayloadReference[] = [];
  const hashes = new Set<string>();
  let history: LayerHistory | null = null;
  return {
    references(index) {
      const fresh: PayloadReference[] = [];
      for (; seen < index.events.length; seen += 1) {
        const event = index.events[seen];
        if (event?.kind !== 'state-patch' || !channels.has(event.channel)) continue;
        for (const { value } of event.patches) {
          if (value === undefined) continue;
          for (const reference of payloadsIn(value)) {
            if (hashes.has(reference.$payload) || !isStructure(reference)) continue;
            hashes.add(reference.$payload);
            fresh.push(reference);
          }
        }
      }
      if (fresh.length > 0) references = [...references, ...fresh];
      return references;
    },
    fold(index, initial, known) {
      if (history?.initial !== initial || history.last > index.last) history = emptyLayers(initial, channels);
      history = extendLayers(history, index, (value) => {
        const needed = payloadsIn(value).filter(isStructure);
        if (needed.length === 0) return value;
        return needed.every((reference) => known.has(reference.$payload)) ? fillPayloads(value, known) : undefined;
      });
      return history;
    },
  };
}
