import type { CanvasUiStore } from '../../canvas/canvas-ui';
import type { Instance } from '../../canvas/places';
import type { LayoutStore } from '../layout-store';
import type { EditorStore } from '../store';
import type { ActionIconName } from './action-icon';

/** What reaches beyond the flow on the canvas: runs, files, pages. */
export interface EditorServices {
  /** Starts a run, asking for input first where the flow wants some. */
  run(options?: { from?: string; until?: string }): void;
  /** Runs one node on what stands before it. */
  runOnly(id: string): void;
  stop(): void;
  continue(mode: 'step' | 'run'): void;
  pinLast(id: string): void;
  showRun(runId: string): void;
  exportJson(): void;
  exportPicture(kind: 'svg' | 'png'): void;
  exportSummary(): void;
  importText(text: string): void;
  duplicateFlow(): void;
  save(): void;
  navigate(href: string): void;
  say(message: string, tone?: 'plain' | 'error' | 'success'): void;
}

/** Everything a command may use. */
export interface ActionContext {
  editor: EditorStore;
  ui: CanvasUiStore;
  layout: LayoutStore;
  flow(): Instance | null;
  services: EditorServices;
}

export type ActionGroup = 'Edit' | 'Add' | 'Arrange' | 'View' | 'Run' | 'Flow' | 'Go to';
/** Where, besides palette and keyboard, a command is offered. */
export type ActionPlace = 'node-menu' | 'edge-menu' | 'canvas-menu' | 'selection-bar';

/** One command: the single source for toolbar, menus, command palette, keyboard and the list of shortcuts. */
export interface Action {
  id: string;
  title: string | ((context: ActionContext) => string);
  group: ActionGroup;
  /** A name, so that commands stay data. */
  icon: ActionIconName;
  keywords?: readonly string[];
  /** The first is shown. */
  shortcuts?: readonly string[];
  /** The browser sends its own event for this key (copy, cut, paste); the shortcut is shown, not caught. */
  native?: boolean;
  /** Works while a text field has the focus. */
  whileWriting?: boolean;
  places?: readonly ActionPlace[];
  tone?: 'danger';
  /** Hidden in a frozen canvas when it changes the document. */
  edits?: boolean;
  enabled?(context: ActionContext): boolean;
  checked?(context: ActionContext): boolean;
  perform(context: ActionContext): void;
}

export const titleOf = (action: Action, context: ActionContext): string =>
  typeof action.title === 'function' ? action.title(context) : action.title;

export const isEnabled = (action: Action, context: ActionContext): boolean =>
  (!action.edits || !context.editor.getState().readOnly) && (action.enabled?.(context) ?? true);

export function performAction(action: Action, context: ActionContext): boolean {
  if (!isEnabled(action, context)) return false;
  action.perform(context);
  return true;
}

export const selectedNodes = ({ editor }: ActionContext): readonly string[] => editor.getState().selection.nodes;
export const hasNodes = (context: ActionContext): boolean => selectedNodes(context).length > 0;
export const hasSelection = (context: ActionContext): boolean => hasNodes(context) || context.editor.getState().selection.edges.length > 0;
export const oneNode = (context: ActionContext): boolean => selectedNodes(context).length === 1;

/** Applies an edit and says why when it is refused. */
export function edit(context: ActionContext, ...parameters: Parameters<ReturnType<EditorStore['getState']>['edit']>): void {
  const refusal = context.editor.getState().edit(...parameters);
  if (refusal !== null) context.services.say(refusal, 'error');
}
