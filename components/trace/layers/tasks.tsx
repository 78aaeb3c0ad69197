'use client';

import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { changesUpTo, countByStatus, type TaskChange, type TaskReading, taskChanges, tasksOf } from '@/harness/trace/views/layers/tasks';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { IconButton } from '../../ui/icon-button';
import { SearchField } from '../search-field';
import { useTraceView } from '../trace-context';
import { VirtualList } from '../virtual-list';
import { LayerEmpty, VisitLink } from './parts';
import { TaskGraph } from './task-graph';
import { changeWords, marksOf, taskLook } from './task-words';
import { useLayers } from './use-layers';

/** Up to this many tasks the drawing comes first; up to the second, it can be asked for. */
const [drawnFirst, drawnAtMost] = [60, 400];

function TaskRow({
  task,
  marks,
  selected,
  onSelect,
}: {
  task: TaskReading;
  marks: readonly string[];
  selected: boolean;
  onSelect: () => void;
}) {
  const look = taskLook(task.status);
  return (
    <button
      type="button"
      aria-current={selected || undefined}
      onClick={onSelect}
      className={cn(
        'flex w-full min-w-0 items-center gap-2 border-line/70 border-b px-3 py-1.5 text-left text-xs',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />} className="w-28 justify-start">
        {look.label}
      </Badge>
      <span className="min-w-0 flex-1 truncate" title={task.description}>
        {task.description || task.id}
      </span>
      {marks.length > 0 ? <span className="shrink-0 text-warn">{marks.join(', ')}</span> : null}
      <span className="hidden w-16 shrink-0 text-faint @min-[640px]:inline">{task.risk}</span>
      <span className="w-40 shrink-0 truncate text-faint" title={task.dependsOn.join(', ')}>
        {task.blockedBy !== '' ? `blocked by ${task.blockedBy}` : task.dependsOn.length > 0 ? `after ${task.dependsOn.join(', ')}` : ''}
      </span>
      <code className="w-24 shrink-0 truncate text-right text-faint">{task.id}</code>
    </button>
  );
}

function TaskDetails({ task, changes, onClose }: { task: TaskReading; changes: readonly TaskChange[]; onClose: () => void }) {
  const look = taskLook(task.status);
  return (
    <section
      aria-label={`Task ${task.id}`}
      className="max-h-[45%] shrink-0 overflow-y-auto border-line border-t bg-surface px-3 py-2 text-xs"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 space-y-1">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />}>
              {look.label}
            </Badge>
            <code>{task.id}</code>
            <span className="text-faint">risk {task.risk}</span>
            {task.retried ? <span className="text-warn">its automatic retry is spent</span> : null}
          </p>
          <p className="break-words text-sm">{task.description}</p>
          {task.dependsOn.length > 0 ? <p className="text-muted">Depends on {task.dependsOn.join(', ')}</p> : null}
          {task.blockedBy !== '' || task.blockReason !== '' ? (
            <p className="text-warn">
              {task.blockedBy === '' ? 'Blocked' : `Blocked by ${task.blockedBy}`}
              {task.blockReason === '' ? '' : `: ${task.blockReason.replaceAll('_', ' ')}`}
            </p>
          ) : null}
        </div>
        <IconButton size="sm" label="Close the task" icon={<X size={14} />} onClick={onClose} />
      </div>
      <ol className="mt-1.5 space-y-0.5" aria-label="What happened to it">
        {changes.map((change) => (
          <li key={`${change.seq} ${change.to}`} className="flex gap-2">
            <span className="tabular w-12 shrink-0 text-right text-faint">{change.seq}</span>
            <span className={cn('min-w-0', change.move === 'moved' || change.move === 'added' ? 'text-muted' : 'text-warn')}>
              {changeWords(change)} by <VisitLink wrote={change} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const matches = (task: TaskReading, text: string): boolean => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hay = `${task.id} ${task.description} ${task.status} ${taskLook(task.status).label} ${task.risk} ${task.blockedBy}`.toLowerCase();
  return words.every((word) => hay.includes(word));
};

/** The task graph at the chosen moment, as a drawing or as a list. */
export function TasksSection() {
  const { at } = useTraceView();
  const { points, value, initial } = useLayers();
  const [shape, setShape] = useState<'graph' | 'list' | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [text, setText] = useState('');
  const written = points('taskGraph');
  const start = initial('taskGraph');
  const graph = value('taskGraph');
  const tasks = useMemo(() => tasksOf(graph), [graph]);
  const changes = useMemo(() => taskChanges(written, start), [written, start]);
  const marks = useMemo(() => new Map(tasks.map((task) => [task.id, marksOf(changesUpTo(changes, task.id, at))])), [tasks, changes, at]);
  if (tasks.length === 0) return <LayerEmpty type="planning" title="Planning" what="tasks" />;
  const canDraw = tasks.length <= drawnAtMost;
  const drawn = canDraw && (shape === null ? tasks.length <= drawnFirst : shape === 'graph');
  const chosen = tasks.find((task) => task.id === selected);
  const listed = drawn ? tasks : tasks.filter((task) => matches(task, text));
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <fieldset className="flex gap-1">
          <legend className="sr-only">Shape</legend>
          <Button
            size="sm"
            variant={drawn ? 'secondary' : 'ghost'}
            aria-pressed={drawn}
            disabled={!canDraw}
            onClick={() => setShape('graph')}
          >
            Graph
          </Button>
          <Button size="sm" variant={drawn ? 'ghost' : 'secondary'} aria-pressed={!drawn} onClick={() => setShape('list')}>
            List
          </Button>
        </fieldset>
        {drawn ? null : <SearchField label="Filter tasks" value={text} onChange={setText} />}
        {canDraw ? null : <span className="text-faint text-xs">{tasks.length} tasks are too many to draw.</span>}
        <ul className="ml-auto flex flex-wrap gap-1.5" aria-label="Tasks by status">
          {countByStatus(tasks).map(({ status, count }) => {
            const look = taskLook(status);
            return (
              <li key={status}>
                <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />}>
                  <span className="tabular">{count}</span> {look.label}
                </Badge>
              </li>
            );
          })}
        </ul>
      </div>
      {drawn ? (
        <TaskGraph tasks={tasks} marks={marks} selected={selected} onSelect={setSelected} />
      ) : (
        <VirtualList
          label="Tasks"
          items={listed}
          keyOf={(task) => task.id}
          estimate={33}
          render={(task) => (
            <TaskRow task={task} marks={marks.get(task.id) ?? []} selected={task.id === selected} onSelect={() => setSelected(task.id)} />
          )}
        />
      )}
      {chosen === undefined ? null : (
        <TaskDetails task={chosen} changes={changesUpTo(changes, chosen.id, at)} onClose={() => setSelected(null)} />
      )}
    </div>
  );
}
