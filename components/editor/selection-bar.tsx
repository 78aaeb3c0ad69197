'use client';

import { IconButton } from '../ui/icon-button';
import { type ActionContext, isEnabled, performAction, titleOf } from './actions/action';
import { ActionIcon } from './actions/action-icon';
import { actionsAt } from './actions/all-actions';
import { isMac, showShortcut } from './actions/shortcut';
import { useEditor } from './store-context';

/** What can be done with several nodes at once, above the drawing while they are selected. */
export function SelectionBar({ context }: { context: ActionContext }) {
  const count = useEditor((state) => state.selection.nodes.length);
  const readOnly = useEditor((state) => state.readOnly);
  if (count < 2 || readOnly) return null;
  return (
    <div
      role="toolbar"
      aria-label={`${count} nodes selected`}
      className="absolute top-3 left-1/2 z-10 flex -translate-x-1/2 animate-enter items-center gap-0.5 rounded-lg border border-line bg-surface p-0.5 shadow-pop"
    >
      <span className="tabular px-2 text-muted text-xs">{count} selected</span>
      {actionsAt('selection-bar')
        .filter((action) => isEnabled(action, context))
        .map((action) => (
          <IconButton
            key={action.id}
            size="sm"
            label={titleOf(action, context)}
            tone={action.tone ?? 'default'}
            icon={<ActionIcon name={action.icon} size={15} />}
            {...(action.shortcuts?.[0] ? { shortcut: showShortcut(action.shortcuts[0], isMac()) } : {})}
            onClick={() => performAction(action, context)}
          />
        ))}
    </div>
  );
}
