'use client';

import { Dialog } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { type ActionContext, type ActionGroup, titleOf } from './actions/action';
import { allActions } from './actions/all-actions';
import { isMac, showShortcut } from './actions/shortcut';

const pointer: readonly { what: string; keys: string }[] = [
  { what: 'Move the view', keys: 'Middle mouse, Space or Ctrl and drag' },
  { what: 'Zoom', keys: 'Ctrl and wheel' },
  { what: 'Select several', keys: 'Drag on the canvas, or Shift and click' },
  { what: 'Insert a node on an edge', keys: 'Double click the edge, or drop a node on it' },
  { what: 'From node to node', keys: 'Tab, and arrows along edges' },
];

/** Every shortcut there is, from the same list the keyboard obeys. */
export function ShortcutsDialog({ context, onClose }: { context: ActionContext; onClose: () => void }) {
  const mac = isMac();
  const groups = new Map<ActionGroup, { id: string; title: string; shortcuts: readonly string[] }[]>();
  for (const action of allActions) {
    if (!action.shortcuts) continue;
    const entry = { id: action.id, title: titleOf(action, context), shortcuts: action.shortcuts };
    const list = groups.get(action.group);
    if (list) list.push(entry);
    else groups.set(action.group, [entry]);
  }
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Keyboard and pointer" size="lg">
      <div className="gap-8 sm:columns-2">
        {[...groups].map(([group, entries]) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-faint text-xs">{group}</h3>
            <dl>
              {entries.map((entry) => (
                <div key={entry.id} className="flex min-h-6 items-center justify-between gap-3">
                  <dt className="truncate text-sm">{entry.title}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {entry.shortcuts.map((shortcut) => (
                      <Kbd key={shortcut}>{showShortcut(shortcut, mac)}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section className="mb-5 break-inside-avoid">
          <h3 className="mb-1 font-medium text-faint text-xs">Pointer</h3>
          <dl>
            {pointer.map(({ what, keys }) => (
              <div key={what} className="flex min-h-6 items-center justify-between gap-3">
                <dt className="truncate text-sm">{what}</dt>
                <dd className="text-right text-muted text-xs">{keys}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
