'use client';

import { ListTree, MessageSquare, PanelBottom, PanelRight, TriangleAlert, Waypoints, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useCallback } from 'react';
import { cn } from '../ui/cn';
import { IconButton } from '../ui/icon-button';
import { Spinner } from '../ui/spinner';
import type { ActionContext } from './actions/action';
import { diagnosticsIndex } from './diagnostics-index';
import { type DockTab, useLayout, useLayoutStore } from './layout-store';
import { OutlinePanel } from './outline-panel';
import { ProblemsPanel } from './problems-panel';
import { useEditor } from './store-context';

const Waiting = () => (
  <div className="flex h-full items-center justify-center text-faint">
    <Spinner size={16} />
  </div>
);
// Chat and trace are panels of their own weight; the canvas does not wait for them.
const ChatPanel = dynamic(() => import('../chat/chat-panel').then((module) => module.ChatPanel), { loading: Waiting, ssr: false });
const TracePanel = dynamic(() => import('../trace/trace-panel').then((module) => module.TracePanel), { loading: Waiting, ssr: false });

const tabs: readonly { id: DockTab; title: string; icon: typeof ListTree }[] = [
  { id: 'problems', title: 'Problems', icon: TriangleAlert },
  { id: 'trace', title: 'Trace', icon: Waypoints },
  { id: 'chat', title: 'Chat', icon: MessageSquare },
  { id: 'outline', title: 'Outline', icon: ListTree },
];

function ProblemCount() {
  const count = useEditor((state) => diagnosticsIndex(state.compiled).count);
  if (count.error > 0) return <span className="tabular rounded-sm bg-fail-soft px-1 font-medium text-fail text-xs">{count.error}</span>;
  if (count.warning > 0) return <span className="tabular rounded-sm bg-warn-soft px-1 font-medium text-warn text-xs">{count.warning}</span>;
  return null;
}

export interface DockProps {
  context: ActionContext;
  flowId: string;
  runId: string | null;
  onShowRun: (runId: string | null) => void;
}

/** Problems, trace, chat and outline, below the canvas or at its right. */
export function Dock({ context, flowId, runId, onShowRun }: DockProps) {
  const tab = useLayout((state) => state.dockTab);
  const side = useLayout((state) => state.dockSide);
  const layout = useLayoutStore();
  const selected = useEditor((state) => (state.selection.nodes.length === 1 ? (state.selection.nodes[0] ?? null) : null));
  const { editor } = context;
  const getDraft = useCallback(() => editor.getState().document, [editor]);
  const openTrace = useCallback(
    (id: string): void => {
      onShowRun(id);
      layout.setState({ dock: true, dockTab: 'trace' });
    },
    [layout, onShowRun],
  );
  return (
    <section aria-label="Panel" data-own-keys className="flex h-full min-h-0 flex-col bg-surface">
      <div className="flex h-9 shrink-0 items-center border-line border-b pr-1 pl-1">
        <div role="tablist" aria-label="Panels" className="flex min-w-0 items-center">
          {tabs.map((entry) => (
            <button
              key={entry.id}
              type="button"
              role="tab"
              id={`dock-tab-${entry.id}`}
              aria-selected={tab === entry.id}
              aria-controls="dock-content"
              className={cn(
                '-mb-px flex h-9 items-center gap-1.5 border-b-2 px-2.5 text-sm',
                tab === entry.id ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
              onClick={() => layout.setState({ dockTab: entry.id })}
            >
              <entry.icon aria-hidden size={14} className={tab === entry.id ? 'text-accent' : 'text-faint'} />
              {entry.title}
              {entry.id === 'problems' ? <ProblemCount /> : null}
            </button>
          ))}
        </div>
        <span className="flex-1" />
        <IconButton
          size="sm"
          label={side === 'bottom' ? 'Move to the right' : 'Move to the bottom'}
          icon={side === 'bottom' ? <PanelRight size={14} /> : <PanelBottom size={14} />}
          onClick={() => layout.setState({ dockSide: side === 'bottom' ? 'right' : 'bottom' })}
        />
        <IconButton size="sm" label="Close the panel" icon={<X size={14} />} onClick={() => layout.setState({ dock: false })} />
      </div>
      <div id="dock-content" role="tabpanel" aria-labelledby={`dock-tab-${tab}`} className="min-h-0 flex-1">
        {tab === 'problems' ? <ProblemsPanel /> : null}
        {tab === 'trace' ? (
          <TracePanel runId={runId} selectedNode={selected} onSelectNode={(id) => editor.getState().goTo(id)} compact />
        ) : null}
        {tab === 'chat' ? <ChatPanel flowId={flowId} getDraft={getDraft} onOpenTrace={openTrace} /> : null}
        {tab === 'outline' ? <OutlinePanel context={context} /> : null}
      </div>
    </section>
  );
}
