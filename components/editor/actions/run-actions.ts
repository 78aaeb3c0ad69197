import { indexOf } from '../document-index';
import { type Action, type ActionContext, oneNode, selectedNodes } from './action';

export const isRunning = ({ editor }: ActionContext): boolean => {
  const { status } = editor.getState().run;
  return status === 'running' || status === 'waiting';
};

const first = (context: ActionContext): string => selectedNodes(context)[0] ?? '';
const runnable = (context: ActionContext): boolean => {
  if (!oneNode(context) || isRunning(context)) return false;
  const node = indexOf(context.editor.getState().document).nodes.get(first(context));
  return node !== undefined && node.type !== 'note' && node.type !== 'frame';
};

export const runActions: readonly Action[] = [
  {
    id: 'run',
    title: (context) => (isRunning(context) ? 'Stop' : 'Run'),
    group: 'Run',
    icon: 'Play',
    keywords: ['start', 'execute', 'cancel'],
    shortcuts: ['Mod+Enter'],
    whileWriting: true,
    perform: (context) => (isRunning(context) ? context.services.stop() : context.services.run()),
  },
  {
    id: 'run-from',
    title: 'Run from here',
    group: 'Run',
    icon: 'FastForward',
    places: ['node-menu'],
    edits: true,
    enabled: runnable,
    perform: (context) => context.services.run({ from: first(context) }),
  },
  {
    id: 'run-until',
    title: 'Run until here',
    group: 'Run',
    icon: 'SkipForward',
    places: ['node-menu'],
    edits: true,
    enabled: runnable,
    perform: (context) => context.services.run({ until: first(context) }),
  },
  {
    id: 'run-only',
    title: 'Run only this node',
    group: 'Run',
    icon: 'StepForward',
    places: ['node-menu'],
    edits: true,
    enabled: runnable,
    perform: (context) => context.services.runOnly(first(context)),
  },
  {
    id: 'stop',
    title: 'Stop the run',
    group: 'Run',
    icon: 'Square',
    enabled: isRunning,
    perform: (context) => context.services.stop(),
  },
  {
    id: 'step',
    title: 'Step to the next node',
    group: 'Run',
    icon: 'StepForward',
    shortcuts: ['F10'],
    enabled: ({ editor }) => editor.getState().run.status === 'waiting',
    perform: (context) => context.services.continue('step'),
  },
  {
    id: 'continue',
    title: 'Continue from the breakpoint',
    group: 'Run',
    icon: 'Play',
    shortcuts: ['F9'],
    enabled: ({ editor }) => editor.getState().run.status === 'waiting',
    perform: (context) => context.services.continue('run'),
  },
  {
    id: 'breakpoint',
    title: (context) => (context.editor.getState().breakpoints.includes(first(context)) ? 'Remove the breakpoint' : 'Set a breakpoint'),
    group: 'Run',
    icon: 'CircleDot',
    shortcuts: ['B'],
    edits: true,
    places: ['node-menu'],
    enabled: oneNode,
    perform: (context) => {
      const { breakpoints, setBreakpoints } = context.editor.getState();
      const id = first(context);
      setBreakpoints(breakpoints.includes(id) ? breakpoints.filter((other) => other !== id) : [...breakpoints, id]);
    },
  },
  {
    id: 'pin',
    title: 'Pin the last output',
    group: 'Run',
    icon: 'Pin',
    keywords: ['mock', 'freeze', 'fix output'],
    shortcuts: ['P'],
    edits: true,
    places: ['node-menu'],
    enabled: (context) => oneNode(context) && context.editor.getState().run.nodes.get(first(context))?.output !== undefined,
    perform: (context) => context.services.pinLast(first(context)),
  },
  {
    id: 'unpin',
    title: 'Remove the pin',
    group: 'Run',
    icon: 'PinOff',
    edits: true,
    places: ['node-menu'],
    enabled: (context) => oneNode(context) && Object.hasOwn(context.editor.getState().pins, first(context)),
    perform: (context) => context.editor.getState().pin(first(context), null),
  },
  {
    id: 'unpin-all',
    title: 'Remove all pins',
    group: 'Run',
    icon: 'PinOff',
    edits: true,
    enabled: ({ editor }) => Object.keys(editor.getState().pins).length > 0,
    perform: ({ editor }) => editor.getState().setPins({}),
  },
];

export const flowActions: readonly Action[] = [
  {
    id: 'save',
    title: 'Save now',
    group: 'Flow',
    icon: 'Save',
    shortcuts: ['Mod+S'],
    whileWriting: true,
    edits: true,
    perform: ({ services }) => services.save(),
  },
  {
    id: 'versions',
    title: 'Versions',
    group: 'Flow',
    icon: 'History',
    keywords: ['history', 'restore', 'compare', 'diff'],
    edits: true,
    perform: ({ layout }) => layout.setState({ dialog: 'versions' }),
  },
  {
    id: 'export-json',
    title: 'Export as JSON',
    group: 'Flow',
    icon: 'FileDown',
    keywords: ['download', 'share'],
    perform: ({ services }) => services.exportJson(),
  },
  {
    id: 'export-svg',
    title: 'Export a picture (SVG)',
    group: 'Flow',
    icon: 'FileImage',
    keywords: ['image'],
    perform: ({ services }) => services.exportPicture('svg'),
  },
  {
    id: 'export-png',
    title: 'Export a picture (PNG)',
    group: 'Flow',
    icon: 'FileImage',
    keywords: ['image'],
    perform: ({ services }) => services.exportPicture('png'),
  },
  {
    id: 'export-summary',
    title: 'Export a summary (Markdown)',
    group: 'Flow',
    icon: 'FileText',
    perform: ({ services }) => services.exportSummary(),
  },
  {
    id: 'import',
    title: 'Import a flow',
    group: 'Flow',
    icon: 'FileUp',
    keywords: ['open', 'upload', 'paste'],
    perform: ({ layout }) => layout.setState({ dialog: 'import' }),
  },
  { id: 'duplicate-flow', title: 'Duplicate this flow', group: 'Flow', icon: 'Files', perform: ({ services }) => services.duplicateFlow() },
  { id: 'new-flow', title: 'All flows and templates', group: 'Go to', icon: 'Plus', perform: ({ services }) => services.navigate('/') },
  {
    id: 'go-settings',
    title: 'Settings: models, keys, secrets',
    group: 'Go to',
    icon: 'Settings',
    keywords: ['provider', 'api key'],
    perform: ({ services }) => services.navigate('/settings'),
  },
  { id: 'go-doctor', title: 'Doctor', group: 'Go to', icon: 'Stethoscope', perform: ({ services }) => services.navigate('/doctor') },
  { id: 'go-runs', title: 'Runs', group: 'Go to', icon: 'History', perform: ({ services }) => services.navigate('/runs') },
];
