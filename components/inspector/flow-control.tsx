'use client';

import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { useEditor } from '../editor/store-context';
import { useTRPC } from '../state/trpc';
import { Select } from '../ui/select';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';

/** Another flow, by name; a flow that is gone stays visible as its id. */
export function FlowControl({ id, path, value, invalid }: ControlProps) {
  const { set, disabled } = useForm();
  const trpc = useTRPC();
  const own = useEditor((state) => state.document.id);
  const flows = useQuery(trpc.flows.list.queryOptions());
  const chosen = typeof value === 'string' ? value : '';
  const options = (flows.data ?? []).filter((flow) => flow.id !== own).map((flow) => ({ value: flow.id, label: flow.name }));
  const known = chosen === '' || options.some((option) => option.value === chosen);
  return (
    <div className="flex items-center gap-2">
      <Select
        id={id}
        value={chosen}
        placeholder="Choose a flow"
        disabled={disabled}
        aria-invalid={invalid}
        options={known ? options : [...options, { value: chosen, label: chosen, hint: flows.data ? 'not found' : '' }]}
        onValueChange={(next) => set(path, next)}
      />
      {chosen === '' ? null : (
        <Link
          href={`/flows/${encodeURIComponent(chosen)}`}
          aria-label="Open this flow"
          className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <ExternalLink aria-hidden size={14} />
        </Link>
      )}
    </div>
  );
}
