'use client';

import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Unplug } from 'lucide-react';
import { memo } from 'react';
import { inHandle } from './canvas-id';
import type { GhostData } from './projection';

/** The end of a broken edge that leads to a node which is not there: kept and shown, never dropped (design §3). */
function GhostView({ data }: NodeProps<Node<GhostData, 'ghost'>>) {
  return (
    <div className="flex h-7 w-[140px] items-center gap-1.5 rounded-md border border-fail border-dashed bg-fail-soft px-2 text-fail text-xs">
      <Unplug aria-hidden size={12} className="shrink-0" />
      <span className="truncate">missing: {data.missing}</span>
      <Handle id={inHandle} type="target" position={Position.Left} isConnectable={false} className="card-handle opacity-0" />
      <Handle id="out" type="source" position={Position.Right} isConnectable={false} className="card-handle opacity-0" />
    </div>
  );
}

export const GhostNode = memo(GhostView);
