import { frame } from '@/nodes/canvas/frame/node';
import { type AlignEdge, align, autoLayout, type Box, distribute, type Places, withPlaces } from '../../canvas/arrange';
import { absoluteOf, rectOf, sizeOfNode } from '../../canvas/places';
import { setLayout } from '../change-edits';
import { indexOf } from '../document-index';
import { createNode, placeNodes } from '../flow-edits';
import { type Action, type ActionContext, edit, hasNodes, selectedNodes } from './action';
import type { ActionIconName } from './action-icon';

const boxesOf = (context: ActionContext): Box[] => {
  const { document } = context.editor.getState();
  return selectedNodes(context)
    .filter((id) => !document.layout.nodes[id]?.locked)
    .map((id) => ({ id, ...rectOf(document, id) }));
};

/** Places are absolute; what goes into the layout is relative to each node's parent. */
const apply = (context: ActionContext, label: string, places: Places): void =>
  edit(context, label, (document) => {
    const { nodes } = indexOf(document);
    const relative = Object.entries(places).map(([id, place]) => {
      const parent = nodes.get(id)?.parent;
      const origin = parent === undefined ? { x: 0, y: 0 } : absoluteOf(document, parent);
      return { id, x: Math.round(place.x - origin.x), y: Math.round(place.y - origin.y) };
    });
    return placeNodes(document, relative);
  });

const several =
  (count: number) =>
  (context: ActionContext): boolean =>
    selectedNodes(context).length >= count;

const alignAction = (edge: AlignEdge, title: string, icon: ActionIconName, shortcut: string): Action => ({
  id: `align-${edge}`,
  title,
  group: 'Arrange',
  icon,
  shortcuts: [shortcut],
  edits: true,
  places: ['selection-bar'],
  enabled: several(2),
  perform: (context) => apply(context, title, align(boxesOf(context), edge)),
});

const nudge = (key: string, dx: number, dy: number): Action[] => [
  {
    id: `nudge-${key}`,
    title: `Nudge ${key.replace('Arrow', '').toLowerCase()}`,
    group: 'Arrange',
    icon: 'Move',
    shortcuts: [key],
    edits: true,
    enabled: hasNodes,
    perform: (context) => nudgeBy(context, dx, dy),
  },
  {
    id: `nudge-far-${key}`,
    title: `Nudge ${key.replace('Arrow', '').toLowerCase()} further`,
    group: 'Arrange',
    icon: 'Move',
    shortcuts: [`Shift+${key}`],
    edits: true,
    enabled: hasNodes,
    perform: (context) => nudgeBy(context, dx * 8, dy * 8),
  },
];

function nudgeBy(context: ActionContext, dx: number, dy: number): void {
  const { document } = context.editor.getState();
  const step = context.layout.getState().snap ? 16 : 4;
  const moved = new Set(selectedNodes(context));
  const places = [...moved].flatMap((id) => {
    const at = document.layout.nodes[id];
    const parent = indexOf(document).nodes.get(id)?.parent;
    return at && !at.locked && (parent === undefined || !moved.has(parent)) ? [{ id, x: at.x + dx * step, y: at.y + dy * step }] : [];
  });
  edit(context, 'Nudge', (current) => placeNodes(current, places), { burst: 'nudge' });
}

/** Nodes that nobody has placed yet, or that lie exactly over another. */
function unplaced(context: ActionContext): Set<string> {
  const { document } = context.editor.getState();
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const node of document.nodes) {
    const at = document.layout.nodes[node.id];
    const key = at ? `${node.parent ?? ''}:${at.x}:${at.y}` : '';
    if (!at || seen.has(key)) found.add(node.id);
    seen.add(key);
  }
  return found;
}

const tidy = (context: ActionContext, label: string, only?: ReadonlySet<string>): void => {
  const footer = context.editor.getState().run.status !== 'idle';
  edit(context, label, (document) =>
    withPlaces(
      document,
      autoLayout(document, (id) => sizeOfNode(document, id, footer), only),
    ),
  );
  requestAnimationFrame(() => void context.flow()?.fitView({ padding: 0.14, maxZoom: 1, duration: 160 }));
};

export const arrangeActions: readonly Action[] = [
  alignAction('left', 'Align left', 'AlignStartVertical', 'Alt+A'),
  alignAction('center', 'Align centres', 'AlignCenterVertical', 'Alt+H'),
  alignAction('right', 'Align right', 'AlignEndVertical', 'Alt+D'),
  alignAction('top', 'Align top', 'AlignStartHorizontal', 'Alt+W'),
  alignAction('middle', 'Align middles', 'AlignCenterHorizontal', 'Alt+V'),
  alignAction('bottom', 'Align bottom', 'AlignEndHorizontal', 'Alt+S'),
  {
    id: 'distribute-x',
    title: 'Distribute across',
    group: 'Arrange',
    icon: 'AlignHorizontalDistributeCenter',
    edits: true,
    places: ['selection-bar'],
    enabled: several(3),
    perform: (context) => apply(context, 'Distribute across', distribute(boxesOf(context), 'x')),
  },
  {
    id: 'distribute-y',
    title: 'Distribute down',
    group: 'Arrange',
    icon: 'AlignVerticalDistributeCenter',
    edits: true,
    places: ['selection-bar'],
    enabled: several(3),
    perform: (context) => apply(context, 'Distribute down', distribute(boxesOf(context), 'y')),
  },
  {
    id: 'auto-layout',
    title: 'Lay out the whole flow',
    group: 'Arrange',
    icon: 'LayoutDashboard',
    keywords: ['tidy', 'auto-layout', 'clean up', 'dagre'],
    shortcuts: ['Alt+T'],
    edits: true,
    places: ['canvas-menu'],
    enabled: ({ editor }) => editor.getState().document.nodes.length > 0,
    perform: (context) => tidy(context, 'Lay out the whole flow'),
  },
  {
    id: 'auto-layout-new',
    title: 'Lay out new nodes only',
    group: 'Arrange',
    icon: 'LayoutDashboard',
    keywords: ['tidy'],
    edits: true,
    enabled: (context) => unplaced(context).size > 0,
    perform: (context) => tidy(context, 'Lay out new nodes', unplaced(context)),
  },
  {
    id: 'frame-selection',
    title: 'Put a frame around the selection',
    group: 'Arrange',
    icon: 'Group',
    keywords: ['group', 'lane'],
    shortcuts: ['Mod+G'],
    edits: true,
    places: ['node-menu', 'selection-bar'],
    enabled: hasNodes,
    perform: (context) => frameAround(context),
  },
  {
    id: 'toggle-snap',
    title: 'Snap to grid',
    group: 'Arrange',
    icon: 'Magnet',
    places: ['canvas-menu'],
    checked: ({ layout }) => layout.getState().snap,
    perform: ({ layout }) => layout.setState({ snap: !layout.getState().snap }),
  },
  ...nudge('ArrowLeft', -1, 0),
  ...nudge('ArrowRight', 1, 0),
  ...nudge('ArrowUp', 0, -1),
  ...nudge('ArrowDown', 0, 1),
];

function frameAround(context: ActionContext): void {
  const { document } = context.editor.getState();
  const { nodes } = indexOf(document);
  const chosen = new Set(selectedNodes(context));
  const tops = [...chosen].filter((id) => {
    const parent = nodes.get(id)?.parent;
    return parent === undefined || !chosen.has(parent);
  });
  const parent = nodes.get(tops[0] ?? '')?.parent;
  const inside = tops.filter((id) => nodes.get(id)?.parent === parent);
  const boxes = inside.map((id) => rectOf(document, id));
  if (boxes.length === 0) return;
  const origin = parent === undefined ? { x: 0, y: 0 } : absoluteOf(document, parent);
  const left = Math.min(...boxes.map((box) => box.x)) - 24;
  const top = Math.min(...boxes.map((box) => box.y)) - 52;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + 40;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 36;
  edit(context, 'Put a frame around', (current) => {
    const created = createNode(current, { manifest: frame, place: { x: left - origin.x, y: top - origin.y }, parent: parent ?? null });
    const sized = setLayout(created.document, [created.id], { width: right - left, height: bottom - top });
    return placeNodes(
      sized,
      inside.map((id) => {
        const at = absoluteOf(document, id);
        return { id, x: Math.round(at.x - left), y: Math.round(at.y - top), parent: created.id };
      }),
    );
  });
}
