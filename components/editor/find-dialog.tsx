'use client';

import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Input } from '../ui/input';
import { indexOf } from './document-index';
import { findInFlow } from './find-in-flow';
import { useEditor, useEditorStore } from './store-context';

/** Searches names, ids, notes and every configured value. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const document = useEditor((state) => state.document);
  const store = useEditorStore();
  const [query, setQuery] = useState('');
  const found = useMemo(() => findInFlow(document, query), [document, query]);
  const { nodes } = indexOf(document);
  const open = (id: string): void => {
    onClose();
    store.getState().goTo(id);
  };
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())} title="Find in this flow" size="md">
      <div className="relative mb-2">
        <Search aria-hidden size={14} className="absolute top-2 left-2.5 text-faint" />
        <Input
          autoFocus
          aria-label="Find"
          value={query}
          placeholder="A name, an id, a word in a prompt"
          className="pl-8"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            const first = found[0];
            if (event.key === 'Enter' && !event.nativeEvent.isComposing && first) open(first.nodeId);
          }}
        />
      </div>
      <p className="mb-1 text-faint text-xs" role="status">
        {query.trim() === '' ? 'Prompts, conditions, names and all other values are searched.' : `${found.length} found`}
      </p>
      <ul>
        {found.map((hit) => (
          <li key={`${hit.nodeId}:${hit.place}`}>
            <button
              type="button"
              className="flex w-full flex-col rounded-md px-2 py-1.5 text-left hover:bg-hover"
              onClick={() => open(hit.nodeId)}
            >
              <span className="flex gap-2 text-sm">
                <span className="truncate font-medium">{nodes.get(hit.nodeId)?.label || hit.nodeId}</span>
                <span className="truncate text-faint">{hit.place}</span>
              </span>
              <span className="truncate font-mono text-muted text-xs">
                {hit.before}
                <mark className="bg-accent-soft text-accent-strong">{hit.match}</mark>
                {hit.after}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
