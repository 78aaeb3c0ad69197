'use client';

import { useEffect } from 'react';
import { z } from 'zod';
import { pinSchema } from '@/harness/trace/events';
import type { EditorStore } from './store';

const marksSchema = z.object({ pins: z.record(z.string(), pinSchema).default({}), breakpoints: z.array(z.string()).default([]) });

/** Pins and breakpoints are aids of one person at one flow: kept in this browser, handed to each run, never written into the flow. */
export function useLocalMarks(store: EditorStore, flowId: string): void {
  useEffect(() => {
    const key = `bridle.marks:${flowId}`;
    try {
      const stored = marksSchema.safeParse(JSON.parse(localStorage.getItem(key) ?? '{}'));
      if (stored.success) {
        store.getState().setPins(stored.data.pins);
        store.getState().setBreakpoints(stored.data.breakpoints);
      }
    } catch {
      // Unreadable: begin without.
    }
    return store.subscribe((state, before) => {
      if (state.pins === before.pins && state.breakpoints === before.breakpoints) return;
      try {
        localStorage.setItem(key, JSON.stringify({ pins: state.pins, breakpoints: state.breakpoints }));
      } catch {
        // They last as long as the page, then.
      }
    });
  }, [store, flowId]);
}
