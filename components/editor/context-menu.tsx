'use client';

import { useCanvasUi, useCanvasUiStore } from '../canvas/canvas-ui';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { type Action, type ActionContext, type ActionPlace, isEnabled, performAction, titleOf } from './actions/action';
import { ActionIcon } from './actions/action-icon';
import { actionsAt } from './actions/all-actions';
import { isMac, showShortcut } from './actions/shortcut';

const placeOf = (context: ActionContext): ActionPlace => {
  const { nodes, edges } = context.editor.getState().selection;
  return nodes.length > 0 ? 'node-menu' : edges.length > 0 ? 'edge-menu' : 'canvas-menu';
};

/** Actions in runs of the same group, for separators between them. */
export function byGroup(actions: readonly Action[]): Action[][] {
  const groups: Action[][] = [];
  for (const action of actions) {
    const last = groups.at(-1);
    if (last?.[0]?.group === action.group) last.push(action);
    else groups.push([action]);
  }
  return groups;
}

/** The menu at the pointer: what can be done with what is selected. */
export function CanvasMenu({ context }: { context: ActionContext }) {
  const menu = useCanvasUi((state) => state.menu);
  const ui = useCanvasUiStore();
  if (!menu) return null;
  const groups = byGroup(actionsAt(placeOf(context)).filter((action) => isEnabled(action, context)));
  return (
    <DropdownMenu open modal={false} onOpenChange={(open) => (open ? undefined : ui.setState({ menu: null }))}>
      <DropdownMenuTrigger asChild>
        <span aria-hidden className="pointer-events-none fixed size-px" style={{ left: menu.x, top: menu.y }} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="bottom" sideOffset={2}>
        {groups.map((group, at) => (
          <div key={group[0]?.id}>
            {at > 0 ? <DropdownMenuSeparator /> : null}
            {group.map((action) => (
              <DropdownMenuItem
                key={action.id}
                icon={<ActionIcon name={action.icon} />}
                tone={action.tone ?? 'default'}
                {...(action.shortcuts?.[0] ? { shortcut: showShortcut(action.shortcuts[0], isMac()) } : {})}
                onSelect={() => performAction(action, context)}
              >
                {titleOf(action, context)}
                {action.checked?.(context) ? <span className="text-accent"> ✓</span> : null}
              </DropdownMenuItem>
            ))}
          </div>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
