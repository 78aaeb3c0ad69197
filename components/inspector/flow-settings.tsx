'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { type ModelRole, modelRoles } from '@/harness/contract/model';
import type { Caps, ModelChoice } from '@/harness/flow/schema';
import { setDescription, setSettings } from '../editor/change-edits';
import { useLayoutStore } from '../editor/layout-store';
import { useEditor, useEditorStore } from '../editor/store-context';
import { useTRPC } from '../state/trpc';
import { Badge } from '../ui/badge';
import { Field } from '../ui/field';
import { formatCount } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Switch } from '../ui/switch';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';
import { titleOf } from './form-model';
import { ToolList } from './tools-control';

const heading = 'mb-2 font-semibold text-ink text-xs';
const block = 'border-line border-b px-3 py-3 last:border-0';
const fallback = 'default';

const roleHelp: Record<ModelRole, string> = {
  primary: 'Answers where a node does not say otherwise.',
  request: 'Short questions about the request itself.',
  worker: 'Many small tasks.',
  expert: 'The hard ones.',
};

function Models() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const models = useEditor((state) => state.document.settings.models);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const options = (settings.data?.providers ?? []).flatMap((provider) =>
    provider.models.map((model) => ({ value: JSON.stringify([provider.id, model]), label: model, hint: provider.title })),
  );
  const choose = (role: ModelRole, value: string): void => {
    const { [role]: current, ...others } = models;
    if (value === fallback) {
      store.getState().edit('Change the model', (document) => setSettings(document, { models: others }));
      return;
    }
    const parsed: unknown = JSON.parse(value);
    if (!Array.isArray(parsed)) return;
    const choice: ModelChoice = { ...current, provider: String(parsed[0]), model: String(parsed[1]) };
    store.getState().edit('Change the model', (document) => setSettings(document, { models: { ...others, [role]: choice } }));
  };
  return (
    <section className={block}>
      <h3 className={heading}>Models by role</h3>
      <div className="flex flex-col gap-3">
        {modelRoles.map((role) => {
          const chosen = models[role];
          const value = chosen ? JSON.stringify([chosen.provider, chosen.model]) : fallback;
          const shared = settings.data?.roles[role];
          const list = [
            { value: fallback, label: role === 'primary' ? `From settings${shared ? `: ${shared.model}` : ''}` : 'Same as primary' },
            ...options,
            ...(chosen && !options.some((option) => option.value === value)
              ? [{ value, label: chosen.model, hint: `${chosen.provider}: not set up` }]
              : []),
          ];
          return (
            <Field key={role} id={`model-${role}`} label={titleOf(role)} help={roleHelp[role]}>
              <Select id={`model-${role}`} value={value} options={list} disabled={readOnly} onValueChange={(next) => choose(role, next)} />
            </Field>
          );
        })}
        {settings.data?.rehearsalOnly ? (
          <p className="text-faint text-xs">
            Only the built-in rehearsal model is set up.{' '}
            <Link href="/settings" className="text-accent underline underline-offset-2">
              Add a provider
            </Link>
          </p>
        ) : null}
      </div>
    </section>
  );
}

const capWords: readonly { key: keyof Caps; title: string; help: string; factor: number; nullable: boolean }[] = [
  { key: 'steps', title: 'Steps', help: 'Visits of nodes.', factor: 1, nullable: false },
  {
    key: 'wallTimeMs',
    title: 'Time (seconds)',
    help: 'Time in which the run could go on; waiting for people does not count.',
    factor: 1000,
    nullable: false,
  },
  { key: 'tokens', title: 'Tokens', help: 'Input and output together. Empty: no limit.', factor: 1, nullable: true },
  { key: 'cost', title: 'Cost (USD)', help: 'Of calls whose price is known. Empty: no limit.', factor: 1, nullable: true },
];

function CapField({ cap }: { cap: (typeof capWords)[number] }) {
  const value = useEditor((state) => state.document.settings.caps[cap.key]);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const [draft, setDraft] = useState<string | null>(null);
  const write = (text: string): void => {
    setDraft(text);
    const number = Number(text) * cap.factor;
    const next = text.trim() === '' ? (cap.nullable ? null : undefined) : Number.isFinite(number) && number > 0 ? number : undefined;
    if (next === undefined) return;
    store.getState().edit(
      'Change a limit',
      (document) =>
        setSettings(document, {
          caps: { ...document.settings.caps, [cap.key]: cap.key === 'cost' || next === null ? next : Math.max(1, Math.round(next)) },
        }),
      { burst: `cap:${cap.key}` },
    );
  };
  return (
    <Field id={`cap-${cap.key}`} label={cap.title} help={cap.help}>
      <Input
        id={`cap-${cap.key}`}
        type="number"
        min={0}
        step={cap.key === 'cost' ? 0.01 : 1}
        className="tabular"
        placeholder={cap.nullable ? 'no limit' : ''}
        value={draft ?? (value === null ? '' : String(value / cap.factor))}
        disabled={readOnly}
        onChange={(event) => write(event.target.value)}
        onBlur={() => {
          setDraft(null);
          store.getState().endBurst();
        }}
      />
    </Field>
  );
}

function Tools() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const grants = useEditor((state) => state.document.settings.tools);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const tools = settings.data?.tools ?? [];
  const write = (next: string[] | null): void => {
    store.getState().edit('Change the granted tools', (document) => setSettings(document, { tools: next }));
  };
  return (
    <section className={block}>
      <h3 className={heading}>Tools</h3>
      <div className="mb-2 flex items-center justify-between gap-2 text-sm">
        <label htmlFor="grant-all">Grant every registered tool</label>
        <Switch
          id="grant-all"
          checked={grants === null}
          disabled={readOnly}
          onCheckedChange={(all) => write(all ? null : tools.map((tool) => tool.name))}
        />
      </div>
      {grants === null ? (
        <p className="text-faint text-xs">{formatCount(tools.length, 'tool')}. Nodes and guards may still narrow this down.</p>
      ) : (
        <ToolList label="Granted tools" tools={tools} chosen={grants} disabled={readOnly} onChange={write} />
      )}
    </section>
  );
}

const secretName = /^[A-Z][A-Z0-9_]{0,63}$/;

function Secrets() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const named = useEditor((state) => state.document.settings.secrets);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const [draft, setDraft] = useState('');
  const stored = new Set((settings.data?.secrets ?? []).map((secret) => secret.name));
  const write = (next: string[]): void => {
    store.getState().edit('Change the secrets', (document) => setSettings(document, { secrets: next }));
  };
  const add = (): void => {
    const name = draft.trim().toUpperCase();
    if (name === '') return;
    if (!secretName.test(name)) {
      toast.error('A secret’s name is made of A to Z, 0 to 9 and _, and begins with a letter.');
      return;
    }
    if (!named.includes(name)) write([...named, name]);
    setDraft('');
  };
  return (
    <section className={block}>
      <h3 className={heading}>Secrets by reference</h3>
      <p className="mb-2 text-faint text-xs">
        Names only: a flow never holds a value. Templates use them as <code>{'{{secrets.NAME}}'}</code>.
      </p>
      <ul className="mb-2 flex flex-col gap-1">
        {named.map((name) => (
          <li key={name} className="flex items-center gap-2">
            <code className="min-w-0 flex-1 truncate text-xs">{name}</code>
            {stored.has(name) ? <Badge tone="ok">set</Badge> : <Badge tone="warn">not set</Badge>}
            {readOnly ? null : (
              <button
                type="button"
                className="text-faint text-xs hover:text-fail"
                onClick={() => write(named.filter((other) => other !== name))}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {readOnly ? null : (
        <Input
          aria-label="Name of a secret"
          value={draft}
          list="stored-secrets"
          placeholder="NAME, then Enter"
          className="font-mono text-xs"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) add();
          }}
        />
      )}
      <datalist id="stored-secrets">
        {[...stored].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {named.some((name) => !stored.has(name)) ? (
        <p className="mt-2 text-faint text-xs">
          <Link href="/settings" className="text-accent underline underline-offset-2">
            Set the missing values
          </Link>{' '}
          in Settings.
        </p>
      ) : null}
    </section>
  );
}

/** What holds for the flow as a whole; shown when nothing is selected. */
export function FlowSettingsPanel() {
  const description = useEditor((state) => state.document.description);
  const counts = useEditor(
    (state) => `${formatCount(state.document.nodes.length, 'node')} · ${formatCount(state.document.edges.length, 'edge')}`,
  );
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const layout = useLayoutStore();
  return (
    <div className="h-full overflow-y-auto">
      <header className="flex items-start gap-2 px-3 pt-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-base">Flow settings</h2>
          <p className="text-faint text-xs">{counts}. Select a node to edit it.</p>
        </div>
        <IconButton size="sm" label="Close flow settings" icon={<X size={14} />} onClick={() => layout.setState({ flowSettings: false })} />
      </header>
      <section className={block}>
        <Field id="flow-description" label="Description">
          <Textarea
            id="flow-description"
            rows={3}
            value={description}
            disabled={readOnly}
            placeholder="What is this flow for?"
            onChange={(event) =>
              store
                .getState()
                .edit('Edit the description', (document) => setDescription(document, event.target.value), { burst: 'description' })
            }
            onBlur={() => store.getState().endBurst()}
          />
        </Field>
      </section>
      <Models />
      <section className={block}>
        <h3 className={heading}>Limits of one run</h3>
        <div className="grid grid-cols-2 gap-3">
          {capWords.map((cap) => (
            <CapField key={cap.key} cap={cap} />
          ))}
        </div>
      </section>
      <Tools />
      <Secrets />
    </div>
  );
}
