'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { type ImportOutcome, type ImportSource, importAll } from './import-file';

export interface FlowImport {
  busy: boolean;
  /** Of the last import; empty before the first and after `clear`. */
  outcomes: readonly ImportOutcome[];
  clear(): void;
  files(files: readonly File[]): void;
  text(text: string, source?: string): void;
  /** A file is being dragged over the page. */
  dragging: boolean;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Takes flows by picker, drop and paste. Drop and paste work anywhere on the page that uses this. */
export function useFlowImport(): FlowImport {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly ImportOutcome[]>([]);
  const [dragging, setDragging] = useState(false);

  const run = async (sources: readonly ImportSource[]) => {
    if (sources.length === 0) return;
    setBusy(true);
    try {
      setOutcomes(await importAll(sources, (text) => client.flows.import.mutate({ text }), messageOf));
      await queries.invalidateQueries({ queryKey: trpc.flows.list.pathKey() });
    } finally {
      setBusy(false);
    }
  };
  const text = (value: string, source = 'Pasted text') => void run([{ name: source, size: value.length, text: async () => value }]);

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTyping(event.target) || event.clipboardData === null) return;
    const files = [...event.clipboardData.files];
    const pasted = event.clipboardData.getData('text/plain');
    if (files.length === 0 && !pasted.trimStart().startsWith('{')) return;
    event.preventDefault();
    if (files.length > 0) void run(files);
    else text(pasted);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    setDragging(false);
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void run([...event.dataTransfer.files]);
  });

  useEffect(() => {
    const paste = (event: ClipboardEvent) => onPaste(event);
    const drop = (event: DragEvent) => onDrop(event);
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    document.addEventListener('paste', paste);
    document.addEventListener('drop', drop);
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    return () => {
      document.removeEventListener('paste', paste);
      document.removeEventListener('drop', drop);
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
    };
  }, []);

  return { busy, outcomes, clear: () => setOutcomes([]), files: (files) => void run(files), text, dragging };
}
