'use client';

import { useEffect, useRef } from 'react';
import { useCanvasCommands } from './canvas-commands';
import { useCanvasUi, useCanvasUiStore } from './canvas-ui';

/** The node's label; edited in place after F2 or a double click. */
export function CardTitle({ id, title, className }: { id: string; title: string; className?: string }) {
  const renaming = useCanvasUi((state) => state.renaming === id);
  return renaming ? (
    <TitleInput id={id} title={title} />
  ) : (
    <span className={className ?? 'min-w-0 truncate font-medium text-ink text-sm'}>{title}</span>
  );
}

function TitleInput({ id, title }: { id: string; title: string }) {
  const ui = useCanvasUiStore();
  const { rename } = useCanvasCommands();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const finish = (keep: boolean): void => {
    if (ui.getState().renaming !== id) return;
    const value = input.current?.value.trim() ?? '';
    ui.setState({ renaming: null });
    if (keep && value !== title) rename(id, value);
  };
  return (
    <input
      ref={input}
      defaultValue={title}
      aria-label="Name of the node"
      maxLength={300}
      className="nodrag nopan h-6 min-w-0 flex-1 rounded-sm border border-ring bg-surface px-1 font-medium text-ink text-sm outline-none"
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(true);
        if (event.key === 'Escape') finish(false);
      }}
    />
  );
}
