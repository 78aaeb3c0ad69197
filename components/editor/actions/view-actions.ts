import { toCanvasId } from '../../canvas/canvas-id';
import { fitOptions } from '../../canvas/fit-options';
import type { DockTab } from '../layout-store';
import { type Action, type ActionContext, hasNodes, hasSelection } from './action';

const fit = { ...fitOptions, duration: 160 };

/** With nothing selected the inspector is there only for the settings of the flow. */
const inspectorShown = (context: ActionContext): boolean => {
  const { inspector, flowSettings } = context.layout.getState();
  return inspector && (flowSettings || hasSelection(context));
};

const openDock = (context: ActionContext, tab: DockTab): void => {
  const { dock, dockTab } = context.layout.getState();
  context.layout.setState(dock && dockTab === tab ? { dock: false } : { dock: true, dockTab: tab });
};

const dockAction = (tab: DockTab, title: string, icon: Action['icon'], shortcut: string): Action => ({
  id: `show-${tab}`,
  title,
  group: 'View',
  icon,
  shortcuts: [shortcut],
  checked: ({ layout }) => layout.getState().dock && layout.getState().dockTab === tab,
  perform: (context) => openDock(context, tab),
});

export const viewActions: readonly Action[] = [
  {
    id: 'commands',
    title: 'Search commands, nodes and settings',
    group: 'View',
    icon: 'Command',
    shortcuts: ['Mod+K'],
    whileWriting: true,
    perform: ({ layout }) => layout.setState({ dialog: layout.getState().dialog === 'commands' ? null : 'commands' }),
  },
  {
    id: 'find',
    title: 'Find in this flow',
    group: 'View',
    icon: 'Search',
    keywords: ['search', 'values', 'text'],
    shortcuts: ['Mod+F'],
    perform: ({ layout }) => layout.setState({ dialog: 'find' }),
  },
  {
    id: 'shortcuts',
    title: 'Show keyboard shortcuts',
    group: 'View',
    icon: 'Keyboard',
    keywords: ['help', 'keys'],
    shortcuts: ['?'],
    perform: ({ layout }) => layout.setState({ dialog: 'shortcuts' }),
  },
  {
    id: 'zoom-in',
    title: 'Zoom in',
    group: 'View',
    icon: 'ZoomIn',
    shortcuts: ['+', '='],
    perform: ({ flow }) => void flow()?.zoomIn({ duration: 120 }),
  },
  {
    id: 'zoom-out',
    title: 'Zoom out',
    group: 'View',
    icon: 'ZoomOut',
    shortcuts: ['-'],
    perform: ({ flow }) => void flow()?.zoomOut({ duration: 120 }),
  },
  {
    id: 'zoom-actual',
    title: 'Zoom to 100 percent',
    group: 'View',
    icon: 'ZoomIn',
    shortcuts: ['Shift+0'],
    perform: ({ flow }) => void flow()?.zoomTo(1, { duration: 120 }),
  },
  {
    id: 'zoom-fit',
    title: 'Fit the whole flow',
    group: 'View',
    icon: 'Maximize',
    shortcuts: ['Shift+1', 'F'],
    places: ['canvas-menu'],
    perform: ({ flow }) => void flow()?.fitView(fit),
  },
  {
    id: 'zoom-selection',
    title: 'Zoom to the selection',
    group: 'View',
    icon: 'Focus',
    shortcuts: ['Shift+2'],
    places: ['node-menu'],
    enabled: hasNodes,
    perform: ({ flow, editor }) =>
      void flow()?.fitView({
        nodes: editor.getState().selection.nodes.map((id) => ({ id: toCanvasId(id) })),
        padding: 0.4,
        maxZoom: 1.25,
        duration: 160,
      }),
  },
  {
    id: 'lens',
    title: 'Data lens: who reads whose data',
    group: 'View',
    icon: 'Glasses',
    keywords: ['references', 'channels', 'data edges'],
    shortcuts: ['L'],
    places: ['canvas-menu'],
    checked: ({ editor }) => editor.getState().lens !== 'off',
    perform: ({ editor }) => editor.getState().setLens(editor.getState().lens === 'off' ? 'all' : 'off'),
  },
  {
    id: 'minimap',
    title: 'Minimap',
    group: 'View',
    icon: 'Map',
    checked: ({ layout }) => layout.getState().minimap,
    perform: ({ layout }) => layout.setState({ minimap: !layout.getState().minimap }),
  },
  {
    id: 'toggle-palette',
    title: 'Node palette',
    group: 'View',
    icon: 'PanelLeft',
    shortcuts: ['Mod+B'],
    checked: ({ layout }) => layout.getState().palette,
    perform: ({ layout }) => layout.setState({ palette: !layout.getState().palette }),
  },
  {
    id: 'toggle-inspector',
    title: 'Inspector',
    group: 'View',
    icon: 'PanelRight',
    shortcuts: ['Mod+I'],
    checked: inspectorShown,
    perform: (context) => {
      const { layout } = context;
      if (inspectorShown(context)) layout.setState(hasSelection(context) ? { inspector: false } : { flowSettings: false });
      else layout.setState(hasSelection(context) ? { inspector: true } : { inspector: true, flowSettings: true });
    },
  },
  {
    id: 'flow-settings',
    title: 'Flow settings',
    group: 'Flow',
    icon: 'Settings',
    keywords: ['models', 'limits', 'caps', 'tools', 'secrets', 'description'],
    places: ['canvas-menu'],
    checked: (context) => inspectorShown(context) && !hasSelection(context),
    perform: ({ editor, layout }) => {
      editor.getState().select({ nodes: [], edges: [] });
      layout.setState({ inspector: true, flowSettings: true });
    },
  },
  {
    id: 'toggle-dock',
    title: 'Lower panel',
    group: 'View',
    icon: 'PanelBottom',
    shortcuts: ['Mod+J'],
    checked: ({ layout }) => layout.getState().dock,
    perform: ({ layout }) => layout.setState({ dock: !layout.getState().dock }),
  },
  {
    id: 'dock-side',
    title: ({ layout }) => (layout.getState().dockSide === 'bottom' ? 'Move the lower panel to the right' : 'Move the panel to the bottom'),
    group: 'View',
    icon: 'PanelRightOpen',
    perform: ({ layout }) => layout.setState({ dockSide: layout.getState().dockSide === 'bottom' ? 'right' : 'bottom', dock: true }),
  },
  dockAction('problems', 'Problems', 'TriangleAlert', 'Alt+1'),
  dockAction('trace', 'Trace', 'Waypoints', 'Alt+2'),
  dockAction('chat', 'Chat', 'MessageSquare', 'Alt+3'),
  dockAction('outline', 'Outline', 'ListTree', 'Alt+4'),
];
