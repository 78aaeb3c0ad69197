import { removeItems, setDisabled, setLayout } from '../change-edits';
import { clipOf, pasteClip } from '../clip';
import { indexOf } from '../document-index';
import { canRedo, canUndo } from '../store';
import { type Action, type ActionContext, edit, hasNodes, hasSelection, oneNode, selectedNodes } from './action';
import { copySelection, pasteFromClipboard } from './clipboard';

const anyDisabled = (context: ActionContext): boolean => {
  const { nodes } = indexOf(context.editor.getState().document);
  return selectedNodes(context).some((id) => nodes.get(id)?.disabled);
};

const layoutFlag = (context: ActionContext, flag: 'collapsed' | 'locked'): boolean => {
  const { document } = context.editor.getState();
  const ids = selectedNodes(context);
  return ids.length > 0 && ids.every((id) => document.layout.nodes[id]?.[flag] === true);
};

export const editActions: readonly Action[] = [
  {
    id: 'undo',
    title: 'Undo',
    group: 'Edit',
    icon: 'Undo2',
    shortcuts: ['Mod+Z'],
    edits: true,
    enabled: ({ editor }) => canUndo(editor.getState()),
    perform: ({ editor }) => void editor.getState().undo(),
  },
  {
    id: 'redo',
    title: 'Redo',
    group: 'Edit',
    icon: 'Redo2',
    shortcuts: ['Mod+Shift+Z', 'Mod+Y'],
    edits: true,
    enabled: ({ editor }) => canRedo(editor.getState()),
    perform: ({ editor }) => void editor.getState().redo(),
  },
  {
    id: 'cut',
    title: 'Cut',
    group: 'Edit',
    icon: 'Scissors',
    shortcuts: ['Mod+X'],
    native: true,
    edits: true,
    places: ['node-menu'],
    enabled: hasNodes,
    perform: (context) => {
      void copySelection(context);
      edit(context, 'Cut', (document) => removeItems(document, context.editor.getState().selection));
    },
  },
  {
    id: 'copy',
    title: 'Copy',
    group: 'Edit',
    icon: 'Copy',
    shortcuts: ['Mod+C'],
    native: true,
    places: ['node-menu'],
    enabled: hasNodes,
    perform: (context) => void copySelection(context),
  },
  {
    id: 'paste',
    title: 'Paste',
    group: 'Edit',
    icon: 'ClipboardPaste',
    shortcuts: ['Mod+V'],
    native: true,
    edits: true,
    places: ['canvas-menu'],
    perform: (context) => void pasteFromClipboard(context, false),
  },
  {
    id: 'paste-connected',
    title: 'Paste and keep incoming edges',
    group: 'Edit',
    icon: 'ClipboardPaste',
    shortcuts: ['Mod+Shift+V'],
    native: true,
    edits: true,
    perform: (context) => void pasteFromClipboard(context, true),
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    group: 'Edit',
    icon: 'CopyPlus',
    shortcuts: ['Mod+D'],
    edits: true,
    places: ['node-menu', 'selection-bar'],
    enabled: hasNodes,
    perform: (context) => {
      const { document, selection } = context.editor.getState();
      const first = indexOf(document).nodes.get(selection.nodes[0] ?? '');
      const clip = clipOf(document, selection.nodes);
      const places = selection.nodes.map((id) => document.layout.nodes[id]).filter((place) => place !== undefined);
      const place = { x: Math.min(...places.map(({ x }) => x)) + 32, y: Math.min(...places.map(({ y }) => y)) + 48 };
      const options = Number.isFinite(place.x) ? place : { x: 0, y: 0 };
      const pasted = pasteClip(document, clip, { place: options, ...(first?.parent === undefined ? {} : { parent: first.parent }) });
      edit(context, 'Duplicate', () => pasted.document, { select: pasted.selection });
    },
  },
  {
    id: 'delete',
    title: 'Delete',
    group: 'Edit',
    icon: 'Trash2',
    shortcuts: ['Delete', 'Backspace'],
    edits: true,
    tone: 'danger',
    places: ['node-menu', 'edge-menu', 'selection-bar'],
    enabled: hasSelection,
    perform: (context) => {
      const { selection } = context.editor.getState();
      const count = selection.nodes.length + selection.edges.length;
      edit(context, count === 1 ? 'Delete' : `Delete ${count} items`, (document) => removeItems(document, selection));
    },
  },
  {
    id: 'rename',
    title: 'Rename',
    group: 'Edit',
    icon: 'Pencil',
    shortcuts: ['F2'],
    edits: true,
    places: ['node-menu'],
    enabled: oneNode,
    perform: ({ ui, editor }) => ui.setState({ renaming: editor.getState().selection.nodes[0] ?? null }),
  },
  {
    id: 'toggle-disabled',
    title: (context) => (anyDisabled(context) ? 'Enable' : 'Disable'),
    group: 'Edit',
    icon: 'EyeOff',
    keywords: ['skip', 'mute', 'bypass'],
    shortcuts: ['Shift+D'],
    edits: true,
    places: ['node-menu', 'selection-bar'],
    enabled: hasNodes,
    perform: (context) => {
      const disabled = !anyDisabled(context);
      edit(context, disabled ? 'Disable' : 'Enable', (document) => setDisabled(document, selectedNodes(context), disabled));
    },
  },
  {
    id: 'toggle-collapsed',
    title: (context) => (layoutFlag(context, 'collapsed') ? 'Expand' : 'Collapse'),
    group: 'Edit',
    icon: 'FoldVertical',
    shortcuts: ['Shift+C'],
    edits: true,
    places: ['node-menu'],
    enabled: hasNodes,
    perform: (context) => {
      const collapsed = !layoutFlag(context, 'collapsed');
      edit(context, collapsed ? 'Collapse' : 'Expand', (document) =>
        setLayout(document, selectedNodes(context), { collapsed: collapsed || undefined }),
      );
    },
  },
  {
    id: 'toggle-locked',
    title: (context) => (layoutFlag(context, 'locked') ? 'Unlock' : 'Lock'),
    group: 'Edit',
    icon: 'Lock',
    keywords: ['fix', 'freeze', 'protect'],
    shortcuts: ['Shift+L'],
    edits: true,
    places: ['node-menu'],
    enabled: hasNodes,
    perform: (context) => {
      const locked = !layoutFlag(context, 'locked');
      edit(context, locked ? 'Lock' : 'Unlock', (document) => setLayout(document, selectedNodes(context), { locked: locked || undefined }));
    },
  },
  {
    id: 'select-all',
    title: 'Select all',
    group: 'Edit',
    icon: 'SquareDashedMousePointer',
    shortcuts: ['Mod+A'],
    perform: ({ editor }) => {
      const { document, select } = editor.getState();
      select({ nodes: document.nodes.map((node) => node.id), edges: [] });
    },
  },
  {
    id: 'clear-selection',
    title: 'Select nothing',
    group: 'Edit',
    icon: 'X',
    shortcuts: ['Escape'],
    enabled: (context) => hasSelection(context) || context.ui.getState().picker !== null,
    perform: ({ editor, ui }) => {
      if (ui.getState().picker) ui.setState({ picker: null });
      else editor.getState().select({ nodes: [], edges: [] });
    },
  },
  {
    id: 'select-upstream',
    title: 'Select everything upstream',
    group: 'Edit',
    icon: 'Eye',
    keywords: ['before', 'ancestors'],
    enabled: hasNodes,
    perform: (context) => selectAlong(context, 'incoming'),
  },
  {
    id: 'select-downstream',
    title: 'Select everything downstream',
    group: 'Edit',
    icon: 'Eye',
    keywords: ['after', 'descendants'],
    enabled: hasNodes,
    perform: (context) => selectAlong(context, 'outgoing'),
  },
];

function selectAlong({ editor }: ActionContext, way: 'incoming' | 'outgoing'): void {
  const { document, selection, select } = editor.getState();
  const index = indexOf(document);
  const seen = new Set(selection.nodes);
  const queue = [...selection.nodes];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const edge of index[way].get(id) ?? []) {
      const next = way === 'incoming' ? edge.source : edge.target;
      if (seen.has(next) || !index.nodes.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  select({ nodes: [...seen], edges: [] });
}
