import { toErrorRecord } from '@/harness/contract/errors';
import { absoluteOf, parentAt } from '../../canvas/places';
import { type Clip, clipOf, clipText, pasteClip, readClip } from '../clip';
import type { ActionContext } from './action';

/** What was copied here, for when the browser lets us neither read nor write the system's clipboard. */
let own: string | null = null;

export function copyText(context: ActionContext): string | null {
  const { document, selection } = context.editor.getState();
  if (selection.nodes.length === 0) return null;
  own = clipText(clipOf(document, selection.nodes));
  return own;
}

export async function copySelection(context: ActionContext): Promise<void> {
  const text = copyText(context);
  if (text === null) return;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed: `own` still serves a paste in this tab.
  }
}

/** Where pasted nodes go: the middle of what is in view. */
const placeInView = ({ flow }: ActionContext): { x: number; y: number } => {
  const instance = flow();
  const pane = globalThis.document.querySelector('.bridle-canvas')?.getBoundingClientRect();
  if (!instance || !pane) return { x: 0, y: 0 };
  return instance.screenToFlowPosition({ x: pane.left + pane.width * 0.35, y: pane.top + pane.height * 0.35 });
};

export function pasteText(context: ActionContext, text: string, keepIncoming: boolean): void {
  let clip: Clip | null;
  try {
    clip = readClip(text);
  } catch (thrown) {
    context.services.say(toErrorRecord(thrown).message, 'error');
    return;
  }
  if (!clip) {
    context.services.say('There is no flow on the clipboard. Copy nodes, or the text of an exported flow.');
    return;
  }
  if (clip.document.nodes.length === 0) return;
  const { document } = context.editor.getState();
  const wanted = placeInView(context);
  const occupied = document.nodes.some((node) => {
    const at = document.layout.nodes[node.id];
    return at && Math.abs(at.x - wanted.x) < 24 && Math.abs(at.y - wanted.y) < 24;
  });
  const place = occupied ? { x: wanted.x + 36, y: wanted.y + 48 } : wanted;
  const parent = parentAt(document, place);
  const origin = parent === null ? { x: 0, y: 0 } : absoluteOf(document, parent);
  const pasted = pasteClip(document, clip, { place: { x: place.x - origin.x, y: place.y - origin.y }, parent, keepIncoming });
  const refusal = context.editor.getState().edit('Paste', () => pasted.document, { select: pasted.selection });
  if (refusal) context.services.say(refusal, 'error');
}

export async function pasteFromClipboard(context: ActionContext, keepIncoming: boolean): Promise<void> {
  let text = own;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    // Not allowed: what was copied in this tab is still at hand.
  }
  pasteText(context, text ?? '', keepIncoming);
}
