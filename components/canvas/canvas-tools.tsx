'use client';

import { type FitViewOptions, Panel, useReactFlow, useStore } from '@xyflow/react';
import { Glasses, Maximize, Minus, Plus } from 'lucide-react';
import { useEditor, useEditorStore } from '../editor/store-context';
import { IconButton } from '../ui/icon-button';

const zoomOf = (state: { transform: [number, number, number] }): number => Math.round(state.transform[2] * 100);

/** Zoom, fit and the data lens, at the lower left of the drawing. */
export function CanvasTools({ fitOptions }: { fitOptions: FitViewOptions }) {
  const flow = useReactFlow();
  const zoom = useStore(zoomOf);
  const lens = useEditor((state) => state.lens);
  const store = useEditorStore();
  return (
    <Panel position="bottom-left">
      <div role="toolbar" aria-label="View" className="flex items-center rounded-lg border border-line bg-surface p-0.5 shadow-card">
        <IconButton
          label="Zoom out"
          shortcut="-"
          size="sm"
          tooltipSide="top"
          icon={<Minus size={14} />}
          onClick={() => void flow.zoomOut({ duration: 120 })}
        />
        <button
          type="button"
          className="tabular h-7 w-11 rounded-md text-muted text-xs hover:bg-hover hover:text-ink"
          aria-label={`Zoom ${zoom} percent. Back to 100`}
          onClick={() => void flow.zoomTo(1, { duration: 120 })}
        >
          {zoom}%
        </button>
        <IconButton
          label="Zoom in"
          shortcut="+"
          size="sm"
          tooltipSide="top"
          icon={<Plus size={14} />}
          onClick={() => void flow.zoomIn({ duration: 120 })}
        />
        <IconButton
          label="Fit the whole flow"
          shortcut="⇧1"
          size="sm"
          tooltipSide="top"
          icon={<Maximize size={14} />}
          onClick={() => void flow.fitView({ ...fitOptions, duration: 160 })}
        />
        <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
        <IconButton
          label="Data lens: who reads whose data"
          shortcut="L"
          size="sm"
          tooltipSide="top"
          pressed={lens !== 'off'}
          icon={<Glasses size={15} />}
          onClick={() => store.getState().setLens(lens === 'off' ? 'all' : 'off')}
        />
      </div>
    </Panel>
  );
}
