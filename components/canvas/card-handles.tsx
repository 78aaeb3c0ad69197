'use client';

import { Handle, Position } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { errorPort } from '@/harness/contract/node';
import { useEditor, useEditorStore } from '../editor/store-context';
import { cn } from '../ui/cn';
import { useCanvasCommands } from './canvas-commands';
import { attachHandle, fromCanvasId, guardHandle, inHandle } from './canvas-id';
import { type CanvasUi, useCanvasUi } from './canvas-ui';
import { fitsConnection } from './connection-rules';
import type { HandleSpot } from './geometry';
import type { CardData } from './projection';

const labelOf = (spot: HandleSpot, title: string): string => {
  if (spot.id === inHandle) return `Into ${title}`;
  if (spot.id === guardHandle) return `Policies of ${title}`;
  if (spot.id === attachHandle) return `Pin ${title} to a node`;
  return `Port ${fromCanvasId(spot.id)} of ${title}`;
};

const positions = { left: Position.Left, right: Position.Right, top: Position.Top, bottom: Position.Bottom };

const connectingOf = (state: CanvasUi) => state.connecting;

/** The real handles of a card. While a connection is drawn, those it cannot end at fade. */
export function CardHandles({ data, selected }: { data: CardData; selected: boolean }) {
  const connecting = useCanvasUi(connectingOf);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const { openPickerAt } = useCanvasCommands();
  return (
    <div className="card-handles">
      {data.geometry.handles.map((spot) => {
        const port = fromCanvasId(spot.id);
        const fits = connecting ? fitsConnection(store.getState().document, connecting, { node: data.id, spot }) : true;
        const origin = connecting?.node === data.id && (connecting.port ?? inHandle) === port;
        const error = spot.id === errorPort && spot.type === 'source';
        const free = spot.type === 'source' && (data.free.includes(port) || (error && !data.errorUsed));
        return (
          <span key={`${spot.type}:${spot.id}`}>
            <Handle
              id={spot.id}
              type={spot.type}
              position={positions[spot.side]}
              isConnectable={!readOnly}
              aria-label={labelOf(spot, data.model.title)}
              className={cn('card-handle', error && 'card-handle-error', spot.id === guardHandle && 'card-handle-guard')}
              data-used={error ? data.errorUsed : spot.id === guardHandle ? data.policies.length > 0 : undefined}
              data-fit={connecting ? (fits || origin ? 'yes' : 'no') : undefined}
              style={{ top: spot.y, left: spot.x, right: 'auto', bottom: 'auto', transform: 'translate(-50%, -50%)' }}
            />
            {free && !error && !readOnly && spot.id !== attachHandle ? (
              <button
                type="button"
                tabIndex={selected ? 0 : -1}
                aria-label={`Add a node after port ${port} of ${data.model.title}`}
                className="card-plus nodrag nopan"
                style={{ top: spot.y, left: spot.x + 10 }}
                onClick={(event) => {
                  event.stopPropagation();
                  openPickerAt({ node: data.id, port, kind: 'flow', from: 'source' }, event.currentTarget.getBoundingClientRect());
                }}
              >
                <Plus aria-hidden size={12} />
              </button>
            ) : null}
          </span>
        );
      })}
    </div>
  );
}
