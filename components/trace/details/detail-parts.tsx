import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { JsonView } from '../../ui/json-view';
import { Resolved } from '../payload';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="tabular min-w-0 break-words">{children}</dd>
    </>
  );
}

export function Part({ title, children, open = true, aside }: { title: string; children: ReactNode; open?: boolean; aside?: ReactNode }) {
  return (
    <details open={open} className="group/part border-line border-t px-3 py-2">
      <summary className="flex cursor-default select-none list-none items-center gap-1 rounded-sm text-muted text-xs marker:hidden">
        <ChevronRight aria-hidden size={12} className="text-faint transition-transform group-open/part:rotate-90" />
        <span className="font-medium">{title}</span>
        {aside ? <span className="ml-auto">{aside}</span> : null}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}

/** A value, with what is kept apart fetched when it is shown. Text stays text. */
export function Value({ value, openTo = 2 }: { value: Json; openTo?: number }) {
  return (
    <Resolved value={value}>
      {(whole) =>
        typeof whole === 'string' ? (
          <p className="max-h-96 overflow-y-auto whitespace-pre-wrap break-words rounded-md bg-sunken px-2 py-1.5 font-mono text-xs leading-5">
            {whole === '' ? '(empty)' : whole}
          </p>
        ) : (
          <JsonView value={whole} openTo={openTo} />
        )
      }
    </Resolved>
  );
}

export function ErrorBox({ error, children }: { error: ErrorRecord; children?: ReactNode }) {
  return (
    <div className="m-3 space-y-1 rounded-md bg-fail-soft px-3 py-2 text-xs">
      <p className="break-words text-fail">{error.message}</p>
      <p className="flex items-center gap-2 text-muted">
        <code>{error.code}</code>
        {error.kind === 'operational'
          ? 'Trying again may help.'
          : error.kind === 'user'
            ? 'Something in the flow or its input has to change.'
            : 'A fault of the program.'}
      </p>
      {error.details === undefined ? null : <JsonView value={error.details} openTo={1} />}
      {children}
    </div>
  );
}
