'use client';

import { useQuery } from '@tanstack/react-query';
import { Command, defaultFilter } from 'cmdk';
import { LayoutTemplate } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import { flowOrder } from '../canvas/flow-order';
import { allTypes } from '../canvas/palette-search';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Icon } from '../ui/icon';
import { Kbd } from '../ui/kbd';
import { layerColor } from '../ui/layer-chip';
import { toast } from '../ui/toast';
import { type ActionContext, isEnabled, performAction, titleOf } from './actions/action';
import { ActionIcon } from './actions/action-icon';
import { allActions } from './actions/all-actions';
import { isMac, showShortcut } from './actions/shortcut';
import { addType } from './add-node';
import { rankByName } from './rank-by-name';

const groupLook =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs';

interface Entry {
  value: string;
  group: string;
  title: string;
  /** What else it is found by. */
  keywords: string[];
  icon: ReactNode;
  aside?: ReactNode;
  perform: () => void;
}

const rank = ({ value, title, keywords }: Entry, search: string): number =>
  rankByName(search, [title, ...keywords]) ?? 0.7 * defaultFilter(value, search, [title, ...keywords]);

/** Best first, across groups: cmdk would sort inside of a group only. */
const matching = (entries: readonly Entry[], search: string): Entry[] =>
  entries
    .map((entry) => ({ entry, fit: rank(entry, search) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry);

/** Rows on the page at once, of a group or of what was found. */
const most = 200;
const groups = ['Commands', 'Nodes of this flow', 'Add a node', 'Start from a template'];

/** Every command, node type, template and setting, and the nodes of this flow, in one list. */
export function CommandPalette({ context, onClose }: { context: ActionContext; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const templates = useQuery(trpc.templates.list.queryOptions());
  const [search, setSearch] = useState('');
  const { document, readOnly } = context.editor.getState();
  const mac = isMac();
  const run = (work: () => void): void => {
    onClose();
    // The dialog gives the focus back first; what the command focuses must come after.
    requestAnimationFrame(work);
  };
  const create = async (templateId: string): Promise<void> => {
    try {
      const { id } = await client.flows.create.mutate({ templateId });
      context.services.navigate(`/flows/${encodeURIComponent(id)}`);
    } catch (error) {
      toast.error('The template could not be opened', { description: messageOf(error) });
    }
  };
  const entries: Entry[] = [
    ...allActions
      .filter((action) => action.id !== 'commands' && !action.id.startsWith('nudge') && isEnabled(action, context))
      .map((action) => ({
        value: `command ${action.id}`,
        group: 'Commands',
        title: titleOf(action, context),
        keywords: [action.group, ...(action.keywords ?? [])],
        icon: <ActionIcon name={action.icon} size={15} />,
        aside: action.shortcuts?.[0] ? <Kbd>{showShortcut(action.shortcuts[0], mac)}</Kbd> : null,
        perform: () => performAction(action, context),
      })),
    ...flowOrder(document)
      .map((node) => ({ node, model: cardModelOf(node, catalogue) }))
      .map(({ node, model }) => ({
        value: `node ${node.id}`,
        group: 'Nodes of this flow',
        title: model.title,
        keywords: [model.typeTitle],
        icon: <Icon name={model.icon} size={15} style={{ color: layerColor(model.layer) }} />,
        aside: <span className="shrink-0 text-faint text-xs">{model.typeTitle}</span>,
        perform: () => context.editor.getState().goTo(node.id),
      })),
    ...(readOnly ? [] : allTypes).map((manifest) => ({
      value: `add ${manifest.id}`,
      group: 'Add a node',
      title: `Add ${manifest.title}`,
      keywords: [manifest.title, ...(manifest.keywords ?? [])],
      icon: <Icon name={manifest.icon} size={15} style={{ color: layerColor(manifest.layer) }} />,
      perform: () => addType(context, manifest.id),
    })),
    ...(templates.data ?? []).map((template) => ({
      value: `template ${template.id}`,
      group: 'Start from a template',
      title: `New flow from ${template.title}`,
      keywords: [template.title, 'template', 'new'],
      icon: <LayoutTemplate size={15} />,
      perform: () => void create(template.id),
    })),
  ];
  const found = matching(entries, search);
  const row = (entry: Entry) => (
    <Command.Item
      key={entry.value}
      value={entry.value}
      onSelect={() => run(entry.perform)}
      className="flex cursor-default items-center gap-2.5 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-hover"
    >
      <span className="flex size-5 shrink-0 items-center justify-center text-muted">{entry.icon}</span>
      <span className="min-w-0 flex-1 truncate">{entry.title}</span>
      {entry.aside}
    </Command.Item>
  );
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-dialog outline-none"
        >
          <Radix.Title className="sr-only">Commands</Radix.Title>
          <Command label="Commands" shouldFilter={false} loop>
            <Command.Input
              autoFocus
              value={search}
              onValueChange={setSearch}
              placeholder="Type a command, a node, a template"
              className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none"
            />
            <Command.List className="max-h-[56vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-faint text-sm">Nothing matches.</Command.Empty>
              {search.trim() === ''
                ? groups.map((group) => (
                    <Command.Group key={group} heading={group} className={groupLook}>
                      {entries
                        .filter((entry) => entry.group === group)
                        .slice(0, most)
                        .map(row)}
                    </Command.Group>
                  ))
                : found.slice(0, most).map(row)}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
