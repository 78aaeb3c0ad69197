'use client';

import { VirtualList } from '../trace/virtual-list';
import { cn } from '../ui/cn';
import type { ReadChange } from './change-words';
import type { DiffLine } from './diff-lines';

const looks: Readonly<Record<DiffLine['kind'], { sign: string; word: string; row: string; mark: string }>> = {
  added: { sign: '+', word: 'added', row: 'bg-ok-soft', mark: 'text-ok' },
  removed: { sign: '−', word: 'removed', row: 'bg-fail-soft', mark: 'text-fail' },
  same: { sign: '', word: '', row: '', mark: '' },
  hunk: { sign: '', word: '', row: 'bg-sunken text-faint', mark: '' },
  note: { sign: '', word: '', row: 'text-muted italic', mark: '' },
};

/** Longer lines are cut: one line of a packed file would fill the view. */
const longestLine = 2000;

function Line({ line }: { line: DiffLine }) {
  const look = looks[line.kind];
  const text = line.text.length > longestLine ? `${line.text.slice(0, longestLine)}… (the rest of the line is not shown)` : line.text;
  return (
    <div className={cn('flex min-w-0 font-mono text-xs leading-5', look.row)}>
      <span aria-hidden className="tabular w-10 shrink-0 select-none pr-1 text-right text-faint">
        {line.before}
      </span>
      <span aria-hidden className="tabular w-10 shrink-0 select-none pr-2 text-right text-faint">
        {line.after}
      </span>
      <span className={cn('w-4 shrink-0 select-none font-medium', look.mark)}>
        <span aria-hidden>{look.sign}</span>
        {look.word === '' ? null : <span className="sr-only">{look.word} </span>}
      </span>
      <code className="min-w-0 flex-1 whitespace-pre-wrap break-all pr-2">{text === '' ? ' ' : text}</code>
    </div>
  );
}

const withoutText: Readonly<Record<ReadChange['change']['kind'], string>> = {
  added: 'The file is new. It is no text, a link, or too large to be shown.',
  changed: 'The file has changed. It is no text, a link, or too large to be shown.',
  removed: 'The file is gone. It was no text, a link, or too large to be shown.',
};

/** One file's change, line by line: sign and colour tell what was added and removed. Only what is on screen is on the page. */
export function DiffView({ read }: { read: ReadChange }) {
  const { change, diff } = read;
  if (diff === null) return <p className="p-3 text-muted text-sm">{withoutText[change.kind]}</p>;
  const rows = diff.lines.map((line, at) => ({ line, at }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section tabIndex={0} aria-label={`Changes of ${change.path}`} className="flex min-h-0 flex-1 flex-col outline-offset-[-2px]">
      <VirtualList
        key={change.path}
        items={rows}
        keyOf={({ at }) => at}
        render={({ line }) => <Line line={line} />}
        estimate={20}
        label={`Lines of ${change.path}`}
      />
    </section>
  );
}
