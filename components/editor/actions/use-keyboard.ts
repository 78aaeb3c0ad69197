'use client';

import { useEffect } from 'react';
import { type Action, type ActionContext, isEnabled, performAction } from './action';
import { actionOf, allActions } from './all-actions';
import { copyText, pasteText } from './clipboard';
import { isWriting, matchesShortcut, parseShortcut, type Shortcut } from './shortcut';

const bindings: readonly { action: Action; shortcut: Shortcut }[] = allActions
  .filter((action) => !action.native)
  .flatMap((action) => (action.shortcuts ?? []).map((text) => ({ action, shortcut: parseShortcut(text) })));

/** Menus, dialogs and trees have keys of their own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"], [role="tree"], [data-own-keys]') !== null;

/** Text that is selected on the page is what a person means to copy. */
const hasTextSelection = (): boolean => (getSelection()?.toString() ?? '') !== '';

/** One keyboard listener for every command; text fields and input methods come first (BR-10, BR-64). */
export function useKeyboard(context: ActionContext): void {
  useEffect(() => {
    let shift = false;
    const onKeyDown = (event: KeyboardEvent): void => {
      shift = event.shiftKey;
      // 229 is what Safari and old input methods send while composing.
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      const writing = isWriting(event.target);
      const own = hasOwnKeys(event.target);
      for (const { action, shortcut } of bindings) {
        if (!matchesShortcut(shortcut, event)) continue;
        if ((writing || own) && !action.whileWriting) continue;
        const plain = !shortcut.mod && !shortcut.alt;
        // Enter and Space press the button that has the focus; other plain keys still mean their command there.
        if (plain && event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) continue;
        if (!isEnabled(action, context)) {
          // The browser must not act on our keys either (Ctrl+D would make a bookmark).
          if (shortcut.mod) event.preventDefault();
          continue;
        }
        event.preventDefault();
        performAction(action, context);
        return;
      }
    };
    const ours = (event: ClipboardEvent): boolean => !event.defaultPrevented && !isWriting(event.target) && !hasOwnKeys(event.target);
    const onCopy = (event: ClipboardEvent): void => {
      if (!ours(event) || hasTextSelection()) return;
      const text = copyText(context);
      if (text === null || !event.clipboardData) return;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut') performAction(actionOf('delete'), context);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!ours(event) || context.editor.getState().readOnly) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '') return;
      event.preventDefault();
      pasteText(context, text, shift);
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [context]);
}
