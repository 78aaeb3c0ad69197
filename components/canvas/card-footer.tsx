'use client';

import { useEffect, useState } from 'react';
import type { NodeOverlay } from '../editor/run-overlay';
import { useEditor } from '../editor/store-context';
import { formatDuration } from '../ui/format';
import { StatusDot } from '../ui/status';

/** Time since a visit began, counted while it runs. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return <>{formatDuration(now - since)}</>;
}

const saying = (overlay: NodeOverlay): string => {
  if (overlay.error !== null) return overlay.error;
  if (overlay.decision) return `${overlay.decision.rule} → ${overlay.decision.outcome}`;
  if (overlay.status === 'waiting') return 'waiting';
  return overlay.port === null || overlay.port === 'next' ? '' : `→ ${overlay.port}`;
};

/** Status, duration and last decision of the run on view. */
export function CardFooter({ id }: { id: string }) {
  const overlay = useEditor((state) => state.run.nodes.get(id));
  const live = useEditor((state) => state.run.status === 'running' || state.run.status === 'waiting');
  if (!overlay) {
    return (
      <div className="card-footer text-faint">
        <span className="truncate">{live ? 'Not reached yet' : 'Not reached'}</span>
      </div>
    );
  }
  const text = saying(overlay);
  return (
    <div className="card-footer" title={text}>
      <StatusDot status={overlay.status} size={13} />
      <span className="tabular shrink-0 text-muted">
        {overlay.since !== null && live ? (
          <Elapsed since={overlay.since} />
        ) : overlay.durationMs === null ? (
          ''
        ) : (
          formatDuration(overlay.durationMs)
        )}
      </span>
      {overlay.visits > 1 ? <span className="tabular shrink-0 text-faint">×{overlay.visits}</span> : null}
      {text ? <span className={`min-w-0 flex-1 truncate ${overlay.error === null ? 'text-ink' : 'text-fail'}`}>{text}</span> : null}
    </div>
  );
}
