import { formatDuration } from '../../ui/format';
import { layerColor } from '../../ui/layer-chip';
import type { LaneLayout, LaneRow } from './lane-layout';

const colorOf = (row: LaneRow): string =>
  row.lane.id.startsWith('layer:') ? layerColor(row.lane.id.slice('layer:'.length)) : layerColor('flow');

/** Names of the lanes, with how long each was busy (parallel work counted once). */
export function LaneLabels({ layout }: { layout: LaneLayout }) {
  return (
    <ul className="relative" style={{ height: layout.height }}>
      {layout.rows.map((row) => (
        <li
          key={row.lane.id}
          className="absolute inset-x-0 flex items-center gap-2 overflow-hidden border-line/70 border-b pr-2 pl-3 text-xs"
          style={{ top: row.top, height: row.height }}
        >
          <span aria-hidden className="h-3.5 w-[3px] shrink-0 rounded-full" style={{ background: colorOf(row) }} />
          <span className="truncate" title={row.lane.title}>
            {row.lane.title}
          </span>
          <span className="tabular ml-auto shrink-0 text-faint">{formatDuration(row.lane.busyMs)}</span>
        </li>
      ))}
    </ul>
  );
}
