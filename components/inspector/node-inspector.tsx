'use client';

import { Ban, ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import { catalogue } from '@/nodes/catalog';
import { cardModelOf } from '../canvas/card-model';
import type { ActionContext } from '../editor/actions/action';
import { setConfig, setLabel, setNodeId, setNote } from '../editor/change-edits';
import { diagnosticsOfNode } from '../editor/diagnostics-index';
import { indexOf } from '../editor/document-index';
import { type InspectorTab, useLayout, useLayoutStore } from '../editor/layout-store';
import { useEditor, useEditorStore } from '../editor/store-context';
import { AuthorityBadge } from '../ui/authority-badge';
import { Badge } from '../ui/badge';
import { EmptyState } from '../ui/empty-state';
import { Field } from '../ui/field';
import { Icon } from '../ui/icon';
import { Input } from '../ui/input';
import { JsonView } from '../ui/json-view';
import { LayerChip, layerColor, layerTint } from '../ui/layer-chip';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { Textarea } from '../ui/textarea';
import { DocsTab } from './docs-tab';
import { FormSections } from './field-view';
import { type FormContextValue, FormProvider } from './form-context';
import { errorsOf, formOf } from './form-model';
import { LastRunTab } from './last-run-tab';
import { PortsTab } from './ports-tab';
import { scopeOf } from './upstream';

const tabs: readonly { id: InspectorTab; title: string }[] = [
  { id: 'config', title: 'Config' },
  { id: 'ports', title: 'Ports & data' },
  { id: 'last', title: 'Last run' },
  { id: 'docs', title: 'Docs' },
];
const isTab = (value: string): value is InspectorTab => tabs.some((tab) => tab.id === value);

/** The name people see; a refused one says why and comes back. */
function NameField({ id, label }: { id: string; label: string }) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const [draft, setDraft] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const finish = (): void => {
    if (draft === null) return;
    const message = store.getState().edit('Rename', (document) => setLabel(document, id, draft));
    setRefusal(message);
    if (message === null) setDraft(null);
  };
  return (
    <div className="min-w-0 flex-1">
      <input
        aria-label="Name of the node"
        value={draft ?? label}
        disabled={readOnly}
        maxLength={300}
        aria-invalid={refusal !== null || undefined}
        className="h-7 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-1 font-semibold text-base outline-none hover:border-line focus:border-ring aria-invalid:border-fail"
        onChange={(event) => {
          setDraft(event.target.value);
          setRefusal(null);
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') finish();
          if (event.key === 'Escape' && draft !== null) {
            event.stopPropagation();
            setDraft(null);
            setRefusal(null);
          }
        }}
      />
      {refusal ? (
        <p role="alert" className="px-1 text-fail text-xs">
          {refusal}
        </p>
      ) : null}
    </div>
  );
}

/** The id that expressions use; changing it rewrites every reference to it. */
function IdField({ id }: { id: string }) {
  const store = useEditorStore();
  const readOnly = useEditor((state) => state.readOnly);
  const [draft, setDraft] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const finish = (): void => {
    const to = draft?.trim();
    if (to === undefined || to === id) {
      setDraft(null);
      return;
    }
    const message = store
      .getState()
      .edit('Change the id', (document) => setNodeId(document, id, to), { select: { nodes: [to], edges: [] } });
    setRefusal(message);
    if (message === null) setDraft(null);
  };
  return (
    <Field
      id="node-id"
      label="Reference id"
      help="What expressions call this node. References to it follow when it changes."
      {...(refusal === null ? {} : { error: refusal })}
    >
      <Input
        id="node-id"
        value={draft ?? id}
        disabled={readOnly}
        spellCheck={false}
        className="font-mono text-xs"
        aria-describedby="node-id-note"
        onChange={(event) => {
          setDraft(event.target.value);
          setRefusal(null);
        }}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
        }}
      />
    </Field>
  );
}

function ConfigTab({ id }: { id: string }) {
  const store = useEditorStore();
  const document = useEditor((state) => state.document);
  const compiled = useEditor((state) => state.compiled);
  const readOnly = useEditor((state) => state.readOnly);
  const node = indexOf(document).nodes.get(id);
  const manifest = node ? catalogue.nodes.get(node.type) : undefined;
  const nodes = document.nodes;
  const { edges } = document;
  // biome-ignore lint/correctness/useExhaustiveDependencies: layout changes of a drag must not compute the scope again
  const scope = useMemo(() => scopeOf(document, id), [nodes, edges, document.settings, id]);
  const errors = useMemo(() => {
    if (!node || !manifest) return new Map<string, string>();
    const found = new Map(errorsOf(manifest, node.config));
    for (const diagnostic of diagnosticsOfNode(compiled, id)) {
      if (diagnostic.path !== undefined && diagnostic.severity === 'error' && !found.has(diagnostic.path))
        found.set(diagnostic.path, diagnostic.message);
    }
    return found;
  }, [node, manifest, compiled, id]);
  const set = useCallback(
    (path: readonly (string | number)[], value: Json | undefined) => {
      store.getState().edit('Edit', (current) => setConfig(current, [id], path, value), { burst: `${id}:${path.join('.')}` });
    },
    [store, id],
  );
  const form: FormContextValue = useMemo(
    () => ({
      formId: 'config',
      disabled: readOnly,
      errors,
      scope,
      lastValue: (nodeId) => store.getState().run.nodes.get(nodeId)?.output,
      set,
      settle: () => store.getState().endBurst(),
    }),
    [readOnly, errors, scope, set, store],
  );
  if (!node) return null;
  if (!manifest) {
    return (
      <div className="flex flex-col gap-3 p-3">
        <p className="text-muted text-sm">
          This build has no node type <code>{node.type}</code> (version {node.typeVersion}). The node is kept as it is, exported with the
          flow, and stops it from running.
        </p>
        <JsonView value={node.config} />
      </div>
    );
  }
  return (
    <FormProvider value={form}>
      <FormSections fields={formOf(manifest)} values={node.config} />
      <section className="flex flex-col gap-3.5 border-line border-t px-3 py-3">
        {manifest.role === 'annotation' ? null : <IdField id={id} />}
        <Field id="node-note" label="Note for readers">
          <Textarea
            id="node-note"
            rows={2}
            value={node.note ?? ''}
            disabled={readOnly}
            placeholder="Why is it here?"
            onChange={(event) =>
              store.getState().edit('Edit the note', (current) => setNote(current, id, event.target.value), { burst: `${id}:note` })
            }
            onBlur={() => store.getState().endBurst()}
          />
        </Field>
      </section>
    </FormProvider>
  );
}

/** One node: what it is, its config, its ports and data, what it did, and what it is for. */
export function NodeInspector({ id, context }: { id: string; context: ActionContext }) {
  const document = useEditor((state) => state.document);
  const tab = useLayout((state) => state.inspectorTab);
  const layout = useLayoutStore();
  const diagnostics = useEditor((state) => diagnosticsOfNode(state.compiled, id));
  const problems = diagnostics.filter((diagnostic) => diagnostic.path === undefined);
  const list = useRef<HTMLDivElement>(null);
  const node = indexOf(document).nodes.get(id);
  if (!node) return <EmptyState icon={<Ban size={18} />} title="This node is gone" className="h-full" />;
  const model = cardModelOf(node, catalogue);
  return (
    <div ref={list} className="flex h-full min-h-0 flex-col">
      <header className="shrink-0 px-3 pt-3 pb-2">
        <div className="flex items-center gap-2">
          <span
            className="flex size-7 shrink-0 items-center justify-center rounded-md"
            style={{ background: layerTint(model.layer, 14), color: layerColor(model.layer) }}
          >
            <Icon name={model.manifest ? model.icon : 'unplug'} size={16} />
          </span>
          <NameField key={node.label} id={id} label={node.label} />
        </div>
        <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
          <Badge tone="outline">{model.typeTitle}</Badge>
          {model.layer === 'flow' ? null : <LayerChip layer={model.layer} />}
          {model.authority ? <AuthorityBadge authority={model.authority} /> : null}
          {node.disabled ? <Badge tone="skipped">Disabled</Badge> : null}
          {model.manifest ? (
            <Link
              href={`/nodes/${model.manifest.id}`}
              className="ml-auto flex items-center gap-1 text-faint text-xs hover:text-ink"
              title="Reference page"
            >
              Reference <ExternalLink aria-hidden size={11} />
            </Link>
          ) : null}
        </div>
        {problems.map((problem) => (
          <p
            key={`${problem.code}${problem.message}`}
            className={`mt-2 text-xs ${problem.severity === 'error' ? 'text-fail' : problem.severity === 'warning' ? 'text-warn' : 'text-muted'}`}
          >
            {problem.message}
          </p>
        ))}
      </header>
      <Tabs
        value={tab}
        onValueChange={(value) => {
          if (isTab(value)) layout.setState({ inspectorTab: value });
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabsList className="shrink-0">
          {tabs.map((entry) => (
            <TabsTrigger key={entry.id} value={entry.id}>
              {entry.title}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="config" className="overflow-y-auto">
          <ConfigTab id={id} />
        </TabsContent>
        <TabsContent value="ports" className="overflow-y-auto">
          <PortsTab id={id} />
        </TabsContent>
        <TabsContent value="last" className="overflow-y-auto">
          <LastRunTab id={id} context={context} />
        </TabsContent>
        <TabsContent value="docs" className="overflow-y-auto">
          <DocsTab type={node.type} />
        </TabsContent>
      </Tabs>
    </div>
  );
}
