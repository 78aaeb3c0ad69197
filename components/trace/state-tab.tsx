'use client';

import { Database } from 'lucide-react';
import { useMemo, useState } from 'react';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { plainValue } from '@/harness/trace/views/decision-words';
import { channelOrigin } from '@/harness/trace/views/provenance';
import {
  type ChannelValues,
  changedChannels,
  previousWriteMoment,
  stateAt,
  type ValueChange,
  valueChanges,
} from '@/harness/trace/views/state';
import { initialChannels } from '@/harness/trace/views/trace-index';
import { catalogue } from '@/nodes/catalog';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { JsonView } from '../ui/json-view';
import { Resolved } from './payload';
import { useTraceView } from './trace-context';

const changeTone: Readonly<Record<ValueChange['kind'], string>> = { added: 'text-ok', removed: 'text-fail', changed: 'text-warn' };
const changeSign: Readonly<Record<ValueChange['kind'], string>> = { added: '+', removed: '−', changed: '~' };

function Changes({ before, after }: { before: Json | undefined; after: Json | undefined }) {
  const found = valueChanges(before, after, 60);
  if (found.length === 0) return null;
  return (
    <ul className="space-y-px rounded-md border border-line bg-sunken px-2 py-1.5 font-mono text-xs">
      {found.map((change) => (
        <li key={change.path.join('\u0000')} className="flex min-w-0 gap-2">
          <span className={cn('shrink-0', changeTone[change.kind])} title={change.kind}>
            {changeSign[change.kind]}
          </span>
          <span className="shrink-0 text-muted">{change.path.length === 0 ? 'whole value' : change.path.join('.')}</span>
          <span className="min-w-0 truncate">
            {change.before === undefined ? null : <span className="text-faint">{plainValue(change.before, 80)}</span>}
            {change.before !== undefined && change.after !== undefined ? ' → ' : null}
            {change.after === undefined ? null : plainValue(change.after, 80)}
          </span>
        </li>
      ))}
      {found.length === 60 ? <li className="text-faint">More changes than are shown here.</li> : null}
    </ul>
  );
}

interface ChannelCardProps {
  name: string;
  value: Json | undefined;
  before: Json | undefined;
  changed: boolean;
  since: string;
}

function ChannelCard({ name, value, before, changed, since }: ChannelCardProps) {
  const { index, at, openVisit } = useTraceView();
  const spec = catalogue.channels.get(name);
  const origin = channelOrigin(index, { channel: name, seq: at });
  return (
    <section
      className={cn('space-y-2 rounded-lg border bg-surface p-3', changed ? 'border-accent-line' : 'border-line')}
      aria-label={spec?.title ?? name}
    >
      <header className="flex min-w-0 items-center gap-2">
        <h3 className="truncate font-medium text-sm" title={spec?.summary}>
          {spec?.title ?? name}
        </h3>
        <code className="truncate text-faint text-xs">{name}</code>
        {changed ? <Badge tone="accent">changed {since}</Badge> : null}
        <span className="ml-auto shrink-0 text-xs">
          {origin === null ? (
            <span className="text-faint">from before the run</span>
          ) : (
            <Button size="sm" variant="ghost" onClick={() => openVisit(origin.visit.id)} title="Go to the visit that wrote this">
              Written by {origin.visit.label}
              {origin.visit.number > 1 ? `, visit ${origin.visit.number}` : ''}
            </Button>
          )}
        </span>
      </header>
      {changed ? <Changes before={before} after={value} /> : null}
      <JsonView value={value ?? null} openTo={1} />
    </section>
  );
}

const defaults: ChannelValues = Object.fromEntries([...catalogue.channels].map(([id, spec]) => [id, spec.initial]));

function StateView({ channels }: { channels: ChannelValues }) {
  const { index, at } = useTraceView();
  const [mark, setMark] = useState<number | null>(null);
  const base = mark ?? previousWriteMoment(index, at);
  const now = useMemo(() => stateAt(index, at, channels), [index, at, channels]);
  const before = useMemo(() => stateAt(index, base, channels), [index, base, channels]);
  const changed = new Map(changedChannels(before, now).map((change) => [change.channel, change]));
  const touched = new Set(index.patches.map((patch) => patch.channel));
  const names = Object.keys({ ...before, ...now }).filter((name) => touched.has(name) || Object.hasOwn(initialChannels(index), name));
  names.sort(
    (a, b) => Number(changed.has(b)) - Number(changed.has(a)) || Number(touched.has(b)) - Number(touched.has(a)) || (a < b ? -1 : 1),
  );
  const since = mark === null ? 'by the last writing visit' : `since event ${mark}`;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5 text-xs">
        <span className="text-muted">
          {mark === null ? `At event ${at}, with what the last writing visit changed` : `Event ${mark} compared with event ${at}`}
        </span>
        <span className="ml-auto flex gap-1">
          <Button size="sm" variant="ghost" onClick={() => setMark(at)} title="Keep this moment, then choose another with the slider">
            Compare from here
          </Button>
          {mark === null ? null : (
            <Button size="sm" variant="ghost" onClick={() => setMark(null)}>
              Stop comparing
            </Button>
          )}
        </span>
      </div>
      <div className="@container min-h-0 flex-1 overflow-y-auto p-3">
        {names.length === 0 ? (
          <EmptyState icon={<Database size={18} />} title="No channel was written">
            Layers and nodes that write shared state show it here, moment by moment.
          </EmptyState>
        ) : (
          <div className="grid gap-3 @min-[900px]:grid-cols-2">
            {names.map((name) => (
              <ChannelCard key={name} name={name} value={now[name]} before={before[name]} changed={changed.has(name)} since={since} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

const nothing: ChannelValues = {};

/** Every channel at the chosen moment, what changed, and who wrote it. */
export function StateTab() {
  const { index } = useTraceView();
  // Values the run began with may be kept apart when they are large; they are needed whole to apply changes to.
  return (
    <Resolved value={{ ...(index.run.start?.channels ?? nothing) }}>
      {(whole) => <StateView channels={{ ...defaults, ...(isJsonObject(whole) ? whole : {}) }} />}
    </Resolved>
  );
}
