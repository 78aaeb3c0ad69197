'use client';

import { useQuery } from '@tanstack/react-query';
import { Command, defaultFilter } from 'cmdk';
import { LayoutTemplate } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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

function Row({
  value,
  keywords,
  icon,
  children,
  aside,
  onSelect,
}: {
  value: string;
  keywords?: string[];
  icon: ReactNode;
  children: ReactNode;
  aside?: ReactNode;
  onSelect: () => void;
}) {
  return (
    <Command.Item
      value={value}
      {...(keywords ? { keywords } : {})}
      onSelect={onSelect}
      className="flex cursor-default items-center gap-2.5 rounded-md px-2 py-1.5 text-sm data-[selected=true]:bg-hover"
    >
      <span className="flex size-5 shrink-0 items-center justify-center text-muted">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside}
    </Command.Item>
  );
}

const rank = (value: string, search: string, keywords?: string[]): number =>
  rankByName(search, keywords ?? []) ?? 0.7 * defaultFilter(value, search, keywords);

/** Every command, node type, template and setting, and the nodes of this flow, in one list. */
export function CommandPalette({ context, onClose }: { context: ActionContext; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const templates = useQuery(trpc.templates.list.queryOptions());
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
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-surface shadow-dialog outline-none"
        >
          <Radix.Title className="sr-only">Commands</Radix.Title>
          <Command label="Commands" filter={rank} loop>
            <Command.Input
              autoFocus
              placeholder="Type a command, a node, a template"
              className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none"
            />
            <Command.List className="max-h-[56vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-faint text-sm">Nothing matches.</Command.Empty>
              <Command.Group heading="Commands" className={groupLook}>
                {allActions
                  .filter((action) => action.id !== 'commands' && !action.id.startsWith('nudge') && isEnabled(action, context))
                  .map((action) => (
                    <Row
                      key={action.id}
                      value={`command ${action.id}`}
                      keywords={[titleOf(action, context), action.group, ...(action.keywords ?? [])]}
                      icon={<ActionIcon name={action.icon} size={15} />}
                      aside={action.shortcuts?.[0] ? <Kbd>{showShortcut(action.shortcuts[0], mac)}</Kbd> : null}
                      onSelect={() => run(() => performAction(action, context))}
                    >
                      {titleOf(action, context)}
                    </Row>
                  ))}
              </Command.Group>
              <Command.Group heading="Nodes of this flow" className={groupLook}>
                {flowOrder(document)
                  .slice(0, 400)
                  .map((node) => {
                    const model = cardModelOf(node, catalogue);
                    return (
                      <Row
                        key={node.id}
                        value={`node ${node.id}`}
                        keywords={[model.title, model.typeTitle]}
                        icon={<Icon name={model.icon} size={15} style={{ color: layerColor(model.layer) }} />}
                        aside={<span className="shrink-0 text-faint text-xs">{model.typeTitle}</span>}
                        onSelect={() => run(() => context.editor.getState().goTo(node.id))}
                      >
                        {model.title}
                      </Row>
                    );
                  })}
              </Command.Group>
              {readOnly ? null : (
                <Command.Group heading="Add a node" className={groupLook}>
                  {allTypes.map((manifest) => (
                    <Row
                      key={manifest.id}
                      value={`add ${manifest.id}`}
                      keywords={['add', manifest.title, ...(manifest.keywords ?? [])]}
                      icon={<Icon name={manifest.icon} size={15} style={{ color: layerColor(manifest.layer) }} />}
                      onSelect={() => run(() => addType(context, manifest.id))}
                    >
                      Add {manifest.title}
                    </Row>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading="Start from a template" className={groupLook}>
                {(templates.data ?? []).map((template) => (
                  <Row
                    key={template.id}
                    value={`template ${template.id}`}
                    keywords={[template.title, 'template', 'new']}
                    icon={<LayoutTemplate size={15} />}
                    onSelect={() => run(() => void create(template.id))}
                  >
                    New flow from {template.title}
                  </Row>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
