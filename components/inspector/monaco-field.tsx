'use client';

import Editor from '@monaco-editor/react';
import type { editor } from 'monaco-editor/editor';
import { useEffect, useId, useRef, useState } from 'react';
import { cn } from '../ui/cn';
import { useTheme } from '../ui/theme';
import type { CodeFieldProps } from './code-field';
import { useForm } from './form-context';
import { applyTheme, provideScope, setUpMonaco } from './monaco-setup';

const monaco = setUpMonaco();
const languages = { expression: 'bridle-expression', template: 'bridle-template', javascript: 'javascript' };
const lineHeight = 18;

const options: editor.IStandaloneEditorConstructionOptions = {
  minimap: { enabled: false },
  fontSize: 12,
  lineHeight,
  fontFamily: 'var(--font-geist-mono), ui-monospace, monospace',
  lineNumbers: 'off',
  glyphMargin: false,
  folding: false,
  lineDecorationsWidth: 6,
  lineNumbersMinChars: 0,
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  overviewRulerBorder: false,
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  wordWrap: 'on',
  wrappingStrategy: 'advanced',
  padding: { top: 6, bottom: 6 },
  scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 8, horizontalScrollbarSize: 8 },
  fixedOverflowWidgets: true,
  automaticLayout: true,
  contextmenu: false,
  quickSuggestions: { other: true, comments: false, strings: true },
  tabSize: 2,
  tabFocusMode: true,
  accessibilitySupport: 'auto',
  // A real text area: input methods, screen readers and other key handlers know what it is.
  editContext: false,
  unicodeHighlight: { ambiguousCharacters: false },
};

/** Monaco in a form field: as tall as its text, in the app's colours, completing what is upstream. */
export function MonacoField({ id, label, language, value, rows, placeholder, disabled, invalid, onChange, onBlur }: CodeFieldProps) {
  const { scope } = useForm();
  const { resolved } = useTheme();
  const model = `bridle://field/${encodeURIComponent(useId())}/${encodeURIComponent(id)}`;
  const instance = useRef<editor.IStandaloneCodeEditor | null>(null);
  const handlers = useRef({ onChange, onBlur, scope });
  const [height, setHeight] = useState(rows * lineHeight + 14);
  useEffect(() => {
    handlers.current = { onChange, onBlur, scope };
  });
  useEffect(() => applyTheme(resolved === 'dark'), [resolved]);
  useEffect(() => provideScope(monaco.Uri.parse(model).toString(), () => handlers.current.scope), [model]);
  useEffect(() => {
    const host = document.getElementById(id);
    const insert = (event: Event): void => {
      const view = instance.current;
      if (!view || !(event instanceof CustomEvent)) return;
      const detail: unknown = event.detail;
      if (typeof detail !== 'object' || detail === null || !('text' in detail) || typeof detail.text !== 'string') return;
      const range = view.getSelection() ?? new monaco.Range(1, 1, 1, 1);
      view.executeEdits('reference', [{ range, text: detail.text, forceMoveMarkers: true }]);
      view.focus();
      if ('done' in detail) detail.done = true;
    };
    host?.addEventListener('bridle:insert', insert);
    return () => host?.removeEventListener('bridle:insert', insert);
  }, [id]);
  return (
    <div
      id={id}
      data-own-keys
      className={cn(
        // `nokey` keeps the canvas from taking Space for panning.
        'nokey overflow-hidden rounded-md border bg-surface focus-within:border-ring',
        invalid ? 'border-fail' : 'border-line hover:border-line-strong',
        language === 'javascript' && 'resize-y',
      )}
      style={{ height: Math.min(480, Math.max(rows * lineHeight + 14, height)) }}
    >
      <Editor
        path={model}
        language={languages[language]}
        theme="bridle"
        value={value}
        options={{
          ...options,
          readOnly: disabled,
          domReadOnly: disabled,
          placeholder,
          ariaLabel: label,
          ...(language === 'javascript' ? { tabFocusMode: false } : {}),
        }}
        onChange={(next) => handlers.current.onChange(next ?? '')}
        onMount={(view) => {
          instance.current = view;
          applyTheme(document.documentElement.classList.contains('dark'));
          setHeight(view.getContentHeight());
          view.onDidContentSizeChange((event) => setHeight(event.contentHeight));
          view.onDidBlurEditorText(() => handlers.current.onBlur());
        }}
        loading={<span className="block px-2.5 py-1.5 font-mono text-faint text-xs">{value.slice(0, 200)}</span>}
      />
    </div>
  );
}
