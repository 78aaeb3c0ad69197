'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { FlowDocument } from '@/harness/flow/schema';
import { Canvas } from '../canvas/canvas';
import type { CanvasCommands } from '../canvas/canvas-commands';
import { CanvasCommandsProvider } from '../canvas/canvas-commands';
import { CanvasUiProvider, useCanvasUiStore } from '../canvas/canvas-ui';
import { NodePicker } from '../canvas/node-picker';
import { Palette } from '../canvas/palette';
import type { Instance } from '../canvas/places';
import { Inspector } from '../inspector/inspector';
import { ErrorBoundary } from '../shell/error-boundary';
import { toast } from '../ui/toast';
import type { ActionContext, EditorServices } from './actions/action';
import { useKeyboard } from './actions/use-keyboard';
import { addPicked, addType } from './add-node';
import { Banners } from './banners';
import { setConfig, setLabel, setLayout } from './change-edits';
import { CanvasMenu } from './context-menu';
import { EditorDialogs } from './dialogs';
import { Dock } from './dock';
import { EditorBar } from './editor-bar';
import { placeNodes } from './flow-edits';
import { LayoutProvider, useLayout, useLayoutStore } from './layout-store';
import { RunAnnouncer } from './outline-panel';
import { SelectionBar } from './selection-bar';
import { createEditorStore } from './store';
import { EditorStoreProvider, useEditor, useEditorStore } from './store-context';
import { useCompiling } from './use-compiling';
import { useKeepInView } from './use-keep-in-view';
import { useLocalMarks } from './use-local-marks';
import { useRun } from './use-run';
import { useSaving } from './use-saving';
import { useServices } from './use-services';

export interface EditorProps {
  flowId: string;
  document: FlowDocument;
  revision: number;
  /** A draft that was not saved before the page was left; it is newer than `document`. */
  draft?: FlowDocument | undefined;
}

const line =
  'bg-line transition-colors hover:bg-accent data-[separator=active]:bg-accent data-[separator=drag]:bg-accent focus-visible:bg-accent outline-none';
const separatorAcross = `w-px ${line}`;
const separatorDown = `h-px ${line}`;

function EditorBody({ flowId }: { flowId: string }) {
  const editor = useEditorStore();
  const ui = useCanvasUiStore();
  const layout = useLayoutStore();
  const router = useRouter();
  const instance = useRef<Instance | null>(null);
  const run = useRun(editor, flowId);
  const saving = useSaving(editor, flowId);
  useCompiling(editor);
  useLocalMarks(editor, flowId);

  const services: EditorServices = useServices({ editor, layout, run, saving, flowId, navigate: (href) => router.push(href) });
  const context: ActionContext = useMemo(
    () => ({ editor, ui, layout, flow: () => instance.current, services }),
    [editor, ui, layout, services],
  );
  useKeyboard(context);

  const openInspector = useCallback(
    (id: string): void => {
      void id;
      layout.setState({ inspector: true });
      requestAnimationFrame(() => document.getElementById('inspector')?.focus());
    },
    [layout],
  );
  const commands: CanvasCommands = useMemo(() => {
    const tell = (refusal: string | null): void => {
      if (refusal) toast.error(refusal);
    };
    return {
      openPickerAt: (connection, beside) => {
        const screen = { x: beside.right, y: beside.top };
        const place = instance.current?.screenToFlowPosition({ x: beside.right + 60, y: beside.top - 10 }) ?? { x: 0, y: 0 };
        ui.setState({ picker: { screen, place, connection, edge: null } });
      },
      openInspector,
      rename: (id, label) => tell(editor.getState().edit('Rename', (document) => setLabel(document, id, label))),
      toggleCollapsed: (id) => {
        const collapsed = !editor.getState().document.layout.nodes[id]?.collapsed;
        tell(
          editor
            .getState()
            .edit(collapsed ? 'Collapse' : 'Expand', (document) => setLayout(document, [id], { collapsed: collapsed || undefined })),
        );
      },
      resize: (id, size) =>
        tell(
          editor.getState().edit('Resize', (document) =>
            setLayout(placeNodes(document, [{ id, x: Math.round(size.x), y: Math.round(size.y) }]), [id], {
              width: Math.round(size.width),
              height: Math.round(size.height),
            }),
          ),
        ),
      setConfig: (id, key, value) => tell(editor.getState().edit('Edit', (document) => setConfig(document, [id], [key], value))),
    };
  }, [editor, ui, openInspector]);

  const palette = useLayout((state) => state.palette);
  const wanted = useLayout((state) => state.inspector);
  const flowSettings = useLayout((state) => state.flowSettings);
  const selecting = useEditor((state) => state.selection.nodes.length + state.selection.edges.length > 0);
  const inspector = wanted && (selecting || flowSettings);
  const dock = useLayout((state) => state.dock);
  const side = useLayout((state) => state.dockSide);
  const minimap = useLayout((state) => state.minimap);
  const snap = useLayout((state) => state.snap);
  const across = useMemo(
    () =>
      ['palette', 'centre', 'dock-right', 'inspector'].filter((id) =>
        id === 'palette' ? palette : id === 'dock-right' ? dock && side === 'right' : id === 'inspector' ? inspector : true,
      ),
    [palette, dock, side, inspector],
  );
  const down = useMemo(() => (dock && side === 'bottom' ? ['canvas', 'dock'] : ['canvas']), [dock, side]);
  useKeepInView(instance, inspector, side);
  const acrossLayout = useDefaultLayout({ id: 'bridle.editor-across-2', panelIds: across });
  const downLayout = useDefaultLayout({ id: 'bridle.editor-down-2', panelIds: down });

  const dockContent = (
    <ErrorBoundary what="This panel">
      <Dock context={context} flowId={flowId} runId={run.runId} onShowRun={run.show} />
    </ErrorBoundary>
  );
  return (
    <CanvasCommandsProvider commands={commands}>
      <div className="flex h-full min-h-0 flex-col">
        <EditorBar context={context} starting={run.starting} />
        <Banners saving={saving} flowId={flowId} context={context} />
        <Group
          orientation="horizontal"
          className="min-h-0 flex-1"
          defaultLayout={acrossLayout.defaultLayout}
          onLayoutChanged={acrossLayout.onLayoutChanged}
        >
          {palette ? (
            <>
              <Panel id="palette" defaultSize={208} minSize={160} maxSize={360} groupResizeBehavior="preserve-pixel-size">
                <Palette onAdd={(type) => addType(context, type)} />
              </Panel>
              <Separator className={separatorAcross} />
            </>
          ) : null}
          <Panel id="centre" minSize={320}>
            <Group orientation="vertical" defaultLayout={downLayout.defaultLayout} onLayoutChanged={downLayout.onLayoutChanged}>
              <Panel id="canvas" minSize={160}>
                <div className="relative h-full">
                  <ErrorBoundary what="The canvas">
                    <Canvas
                      viewKey={`bridle.view:${flowId}`}
                      minimap={minimap}
                      snap={snap}
                      onReady={(flow) => {
                        instance.current = flow;
                      }}
                      onDropType={(type, place, edge) => addType(context, type, { place, edge })}
                      onDropFile={(file) => void file.text().then((text) => services.importText(text))}
                      onMenu={(menu) => ui.setState({ menu })}
                      onOpen={openInspector}
                    />
                    <SelectionBar context={context} />
                  </ErrorBoundary>
                </div>
              </Panel>
              {dock && side === 'bottom' ? (
                <>
                  <Separator className={separatorDown} />
                  <Panel id="dock" defaultSize={340} minSize={120} groupResizeBehavior="preserve-pixel-size">
                    {dockContent}
                  </Panel>
                </>
              ) : null}
            </Group>
          </Panel>
          {dock && side === 'right' ? (
            <>
              <Separator className={separatorAcross} />
              <Panel id="dock-right" defaultSize={420} minSize={280} groupResizeBehavior="preserve-pixel-size">
                {dockContent}
              </Panel>
            </>
          ) : null}
          {inspector ? (
            <>
              <Separator className={separatorAcross} />
              <Panel id="inspector" defaultSize={336} minSize={280} maxSize={640} groupResizeBehavior="preserve-pixel-size">
                <ErrorBoundary what="The inspector">
                  <Inspector context={context} />
                </ErrorBoundary>
              </Panel>
            </>
          ) : null}
        </Group>
      </div>
      <NodePicker onPick={(type, request) => addPicked(context, type, request)} />
      <CanvasMenu context={context} />
      <EditorDialogs context={context} flowId={flowId} run={run} />
      <RunAnnouncer />
    </CanvasCommandsProvider>
  );
}

/** The editor of one flow: palette, canvas, inspector and dock around one document. */
export function Editor({ flowId, document, revision, draft }: EditorProps) {
  const [store] = useState(() => {
    const created = createEditorStore({ document, revision });
    // The draft is what is on screen; the server's copy is what it counts as unsaved against.
    if (draft) created.setState({ document: draft });
    return created;
  });
  useEffect(() => {
    const title = globalThis.document.title;
    const name = (state: { document: FlowDocument }): void => {
      globalThis.document.title = `${state.document.name} · Bridle`;
    };
    name(store.getState());
    const stop = store.subscribe((state, before) => {
      if (state.document.name !== before.document.name) name(state);
    });
    return () => {
      stop();
      globalThis.document.title = title;
    };
  }, [store]);
  return (
    <EditorStoreProvider store={store}>
      <LayoutProvider>
        <CanvasUiProvider>
          <EditorBody flowId={flowId} />
        </CanvasUiProvider>
      </LayoutProvider>
    </EditorStoreProvider>
  );
}
