'use client';

import { CircleAlert, CircleCheck, Info, TriangleAlert, Wrench } from 'lucide-react';
import type { Diagnostic, Severity } from '@/harness/compiler/diagnostic';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { toast } from '../ui/toast';
import { indexOf } from './document-index';
import { useEditor, useEditorStore } from './store-context';

const marks: Record<Severity, { icon: typeof Info; look: string; word: string }> = {
  error: { icon: CircleAlert, look: 'text-fail', word: 'Problem' },
  warning: { icon: TriangleAlert, look: 'text-warn', word: 'Warning' },
  info: { icon: Info, look: 'text-muted', word: 'Note' },
};

function Problem({ diagnostic, place }: { diagnostic: Diagnostic; place: string | null }) {
  const store = useEditorStore();
  const mark = marks[diagnostic.severity];
  const target = diagnostic.nodeId ?? diagnostic.edgeId;
  const { fix } = diagnostic;
  return (
    <li className="flex items-start gap-2 px-3 py-1.5 hover:bg-hover">
      <button
        type="button"
        disabled={target === undefined}
        className="flex min-w-0 flex-1 items-start gap-2 text-left disabled:cursor-default"
        onClick={() => target !== undefined && store.getState().goTo(target)}
      >
        <mark.icon size={14} className={`mt-0.5 shrink-0 ${mark.look}`} aria-label={mark.word} />
        <span className="min-w-0">
          <span className="text-ink text-sm">{diagnostic.message}</span>
          <span className="block text-faint text-xs">
            {place === null ? '' : `${place} · `}
            {diagnostic.path ? `${diagnostic.path} · ` : ''}
            <code>{diagnostic.code}</code>
          </span>
        </span>
      </button>
      {fix ? (
        <Button
          size="sm"
          icon={<Wrench size={12} />}
          onClick={() => {
            const refusal = store.getState().edit(fix.title, fix.apply);
            if (refusal) toast.error(refusal);
          }}
        >
          {fix.title}
        </Button>
      ) : null}
    </li>
  );
}

/** Everything the compiler has to say about the flow as it is drawn now. */
export function ProblemsPanel() {
  const compiled = useEditor((state) => state.compiled);
  const document = useEditor((state) => state.document);
  if (!compiled) return <p className="p-4 text-faint text-sm">Checking the flow</p>;
  if (compiled.diagnostics.length === 0) {
    return (
      <EmptyState icon={<CircleCheck size={18} />} title="No problems" className="h-full">
        The flow compiles. Run it, or send a message in the chat.
      </EmptyState>
    );
  }
  const { nodes, edges } = indexOf(document);
  const placeOf = (diagnostic: Diagnostic): string | null => {
    if (diagnostic.nodeId !== undefined) return nodes.get(diagnostic.nodeId)?.label ?? diagnostic.nodeId;
    const edge = diagnostic.edgeId === undefined ? undefined : edges.get(diagnostic.edgeId);
    return edge ? `${nodes.get(edge.source)?.label ?? edge.source} → ${nodes.get(edge.target)?.label ?? edge.target}` : null;
  };
  return (
    <ul aria-label="Problems" className="h-full overflow-y-auto py-1">
      {compiled.diagnostics.map((diagnostic) => (
        <Problem
          key={`${diagnostic.code}:${diagnostic.nodeId ?? ''}:${diagnostic.edgeId ?? ''}:${diagnostic.path ?? ''}:${diagnostic.message}`}
          diagnostic={diagnostic}
          place={placeOf(diagnostic)}
        />
      ))}
    </ul>
  );
}
