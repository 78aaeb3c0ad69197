'use client';

import { ChevronDown, Cloud, CloudAlert, CloudUpload, Command, Cpu, Download, Ellipsis, Play, Redo2, Square, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { BarSlot } from '../shell/bar-slot';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu';
import { IconButton } from '../ui/icon-button';
import { StatusBadge } from '../ui/status';
import { toast } from '../ui/toast';
import { type ActionContext, isEnabled, performAction, titleOf } from './actions/action';
import { ActionIcon } from './actions/action-icon';
import { actionOf } from './actions/all-actions';
import { isMac, showShortcut } from './actions/shortcut';
import { setName } from './change-edits';
import { canRedo, canUndo } from './store';
import { useEditor, useEditorStore } from './store-context';

function FlowName() {
  const name = useEditor((state) => state.document.name);
  const store = useEditorStore();
  const [draft, setDraft] = useState<string | null>(null);
  const finish = (keep: boolean): void => {
    if (draft === null) return;
    setDraft(null);
    if (!keep) return;
    const refusal = store.getState().edit('Rename the flow', (document) => setName(document, draft));
    if (refusal) toast.error(refusal);
  };
  return (
    <input
      aria-label="Name of the flow"
      value={draft ?? name}
      maxLength={300}
      className="h-7 min-w-16 max-w-72 truncate [field-sizing:content] rounded-md border border-transparent bg-transparent px-1.5 font-medium text-sm outline-none hover:border-line focus:border-ring focus:bg-surface"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') {
          finish(true);
          event.currentTarget.blur();
        }
        if (event.key === 'Escape') {
          finish(false);
          event.currentTarget.blur();
        }
      }}
    />
  );
}

const saveWords = {
  saved: { icon: Cloud, text: 'Saved', look: 'text-faint' },
  dirty: { icon: CloudUpload, text: 'Editing', look: 'text-faint' },
  saving: { icon: CloudUpload, text: 'Saving', look: 'text-faint' },
  conflict: { icon: CloudAlert, text: 'Changed elsewhere', look: 'text-warn' },
  failed: { icon: CloudAlert, text: 'Not saved', look: 'text-fail' },
} as const;

function SaveState() {
  const status = useEditor((state) => state.save.status);
  const message = useEditor((state) => state.save.message);
  const words = saveWords[status];
  return (
    <span
      role="status"
      className={cn('flex items-center gap-1 text-xs', words.look)}
      title={message ?? undefined}
      data-testid="save-state"
      data-status={status}
    >
      <words.icon aria-hidden size={13} />
      <span className="hidden md:inline">{words.text}</span>
    </span>
  );
}

function ModelBadge({ context }: { context: ActionContext }) {
  const primary = useEditor((state) => state.document.settings.models.primary);
  return (
    <button
      type="button"
      className="hidden h-7 items-center gap-1.5 rounded-md px-2 text-muted text-xs hover:bg-hover hover:text-ink lg:flex"
      title="Models of this flow, by role"
      onClick={() => {
        performAction(actionOf('flow-settings'), context);
      }}
    >
      <Cpu aria-hidden size={13} />
      <span className="max-w-36 truncate">{primary ? primary.model : 'Default model'}</span>
    </button>
  );
}

function FlowMenu({ context }: { context: ActionContext }) {
  const ids = ['flow-settings', 'save', 'versions', 'duplicate-flow', 'import'];
  const exports = ['export-json', 'export-svg', 'export-png', 'export-summary'];
  const item = (id: string) => {
    const action = actionOf(id);
    return (
      <DropdownMenuItem
        key={id}
        icon={<ActionIcon name={action.icon} />}
        disabled={!isEnabled(action, context)}
        {...(action.shortcuts?.[0] ? { shortcut: showShortcut(action.shortcuts[0], isMac()) } : {})}
        onSelect={() => performAction(action, context)}
      >
        {titleOf(action, context)}
      </DropdownMenuItem>
    );
  };
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="sm" variant="ghost" icon={<Download size={14} />} aria-label="Export">
            <ChevronDown aria-hidden size={12} />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuLabel>Export</DropdownMenuLabel>
          {exports.map(item)}
        </DropdownMenuContent>
      </DropdownMenu>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <button
            type="button"
            aria-label="More about this flow"
            className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <Ellipsis aria-hidden size={16} />
          </button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {ids.map(item)}
          <DropdownMenuSeparator />
          {['toggle-palette', 'toggle-inspector', 'toggle-dock', 'dock-side', 'minimap', 'shortcuts'].map(item)}
        </DropdownMenuContent>
      </DropdownMenu>
    </>
  );
}

function RunButton({ context, starting }: { context: ActionContext; starting: boolean }) {
  const status = useEditor((state) => state.run.status);
  const active = status === 'running' || status === 'waiting';
  const shortcut = showShortcut('Mod+Enter', isMac());
  return active ? (
    <Button
      size="sm"
      variant="secondary"
      icon={<Square size={12} className="fill-current text-fail" />}
      title={`Stop the run (${shortcut})`}
      onClick={() => context.services.stop()}
    >
      Stop
    </Button>
  ) : (
    <Button
      size="sm"
      variant="primary"
      busy={starting}
      icon={<Play size={13} className="fill-current" />}
      title={`Run the flow (${shortcut})`}
      onClick={() => context.services.run()}
    >
      Run
    </Button>
  );
}

function RunStatus() {
  const status = useEditor((state) => state.run.status);
  return status === 'idle' ? null : <StatusBadge status={status} />;
}

/** What the editor puts into the top bar. */
export function EditorBar({ context, starting }: { context: ActionContext; starting: boolean }) {
  const undoable = useEditor(canUndo);
  const redoable = useEditor(canRedo);
  const undoLabel = useEditor((state) => state.history.past.at(-1)?.label);
  const redoLabel = useEditor((state) => state.history.future[0]?.label);
  const mac = isMac();
  return (
    <>
      <BarSlot place="start">
        <FlowName />
        <SaveState />
      </BarSlot>
      <BarSlot place="center">
        <button
          type="button"
          className="hidden h-7 w-56 items-center gap-2 rounded-md border border-line bg-sunken px-2 text-faint text-xs hover:border-line-strong hover:text-muted xl:flex"
          onClick={() => performAction(actionOf('commands'), context)}
        >
          <Command aria-hidden size={12} />
          <span className="truncate">Search commands</span>
          <span className="ml-auto font-mono">{showShortcut('Mod+K', mac)}</span>
        </button>
      </BarSlot>
      <BarSlot place="end">
        <RunStatus />
        <IconButton
          size="sm"
          label={undoLabel ? `Undo: ${undoLabel}` : 'Undo'}
          shortcut={showShortcut('Mod+Z', mac)}
          icon={<Undo2 size={15} />}
          disabled={!undoable}
          onClick={() => performAction(actionOf('undo'), context)}
        />
        <IconButton
          size="sm"
          label={redoLabel ? `Redo: ${redoLabel}` : 'Redo'}
          shortcut={showShortcut('Mod+Shift+Z', mac)}
          icon={<Redo2 size={15} />}
          disabled={!redoable}
          onClick={() => performAction(actionOf('redo'), context)}
        />
        <ModelBadge context={context} />
        <FlowMenu context={context} />
        <RunButton context={context} starting={starting} />
      </BarSlot>
    </>
  );
}
