'use client';

import { type Edge, type EdgeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import type { Editor } from '../editor/store';
import { useEditor } from '../editor/store-context';
import { cn } from '../ui/cn';
import { useCanvasUi } from './canvas-ui';
import { attachPath, edgePath } from './edge-path';
import type { EdgeData } from './projection';

type Props = EdgeProps<Edge<EdgeData>>;

/** `dead`: the run passed the edge's source and did not take it, or ended without ever getting there. */
const lifeOf = (id: string, source: string) => (state: Editor) => {
  const { run } = state;
  if (run.status === 'idle') return 'idle';
  if (run.liveEdges.has(id)) return 'live';
  if ((run.edges.get(id) ?? 0) > 0) return 'taken';
  const over = run.status !== 'running' && run.status !== 'waiting';
  const from = run.nodes.get(source);
  return over || (from !== undefined && from.status !== 'running' && from.status !== 'waiting') ? 'dead' : 'idle';
};

/** A pill in the drawing itself: cheaper than a label layer, and it is in the picture export too. */
function Pill({ x, y, text, tone }: { x: number; y: number; text: string; tone: 'loop' | 'broken' }) {
  const width = text.length * 6.6 + 16;
  return (
    <g transform={`translate(${x - width / 2} ${y - 10})`} className={cn('edge-pill', tone === 'broken' && 'edge-pill-broken')}>
      <rect width={width} height={20} rx={10} />
      <text x={width / 2} y={14} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

function FlowEdgeView(props: Props) {
  const { data, selected, sourceX, sourceY, targetX, targetY } = props;
  const id = data?.edge.id ?? props.id;
  const life = useEditor(lifeOf(id, data?.edge.source ?? props.source));
  const count = useEditor((state) => state.run.edges.get(id) ?? 0);
  const drop = useCanvasUi((state) => state.dropEdge === id);
  const far = useCanvasUi((state) => state.far);
  if (!data) return null;
  const { path, labelX, labelY } = edgePath(props, data.loop);
  const down = props.sourcePosition === Position.Bottom;
  return (
    <g
      className={cn(
        'flow-edge',
        data.loop && 'flow-edge-loop',
        data.broken !== null && 'flow-edge-broken',
        selected && 'flow-edge-selected',
        drop && 'flow-edge-drop',
      )}
      data-life={life}
    >
      {data.broken === null ? null : <title>{data.broken}</title>}
      <path d={path} className="react-flow__edge-path" fill="none" />
      <path d={path} fill="none" stroke="transparent" strokeWidth={24} className="react-flow__edge-interaction" />
      <path
        d={`M ${targetX - 9} ${targetY - 4.5} L ${targetX - 1} ${targetY} L ${targetX - 9} ${targetY + 4.5} z`}
        className="flow-edge-arrow"
      />
      {life === 'live' ? (
        <circle r={4} className="flow-edge-token">
          <animateMotion dur="1.1s" repeatCount="indefinite" path={path} />
        </circle>
      ) : null}
      {!far && data.label !== null ? (
        <text x={down ? sourceX + 6 : sourceX + 12} y={down ? sourceY + 16 : sourceY - 6} className="edge-label">
          {data.label}
        </text>
      ) : null}
      {data.broken === null ? null : <Pill x={labelX} y={labelY} text="broken" tone="broken" />}
      {data.loop && data.broken === null && !far ? (
        <Pill
          x={labelX}
          y={labelY}
          text={count > 0 ? `${count} of ${data.edge.maxTraversals}` : `at most ${data.edge.maxTraversals}×`}
          tone="loop"
        />
      ) : null}
      {!data.loop && count > 1 && !far ? (
        <text x={labelX} y={labelY - 6} textAnchor="middle" className="edge-label">
          ×{count}
        </text>
      ) : null}
    </g>
  );
}

function AttachEdgeView(props: Props) {
  const { data, selected } = props;
  const { path, labelX, labelY } = attachPath(props);
  return (
    <g className={cn('attach-edge', selected && 'flow-edge-selected', data?.broken && 'flow-edge-broken')}>
      {data?.broken ? <title>{data.broken}</title> : null}
      <path d={path} className="react-flow__edge-path" fill="none" />
      <path d={path} fill="none" stroke="transparent" strokeWidth={20} className="react-flow__edge-interaction" />
      {data?.broken ? <Pill x={labelX} y={labelY} text="broken" tone="broken" /> : null}
    </g>
  );
}

export const FlowEdgePath = memo(FlowEdgeView);
export const AttachEdgePath = memo(AttachEdgeView);
