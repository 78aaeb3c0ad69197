import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/placeholderText/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/features/wordPartOperations/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/languages/definitions/javascript/register';
import { completionsAt } from './completion';
import type { ScopeEntry } from './upstream';

/** What is in scope in an editor, by the address of its model. */
const scopes = new Map<string, () => readonly ScopeEntry[]>();

export function provideScope(uri: string, scope: () => readonly ScopeEntry[]): () => void {
  scopes.set(uri, scope);
  return () => {
    scopes.delete(uri);
  };
}

const celTokens: monaco.languages.IMonarchLanguageRule[] = [
  [/"(?:[^"\\]|\\.)*"?/, 'string'],
  [/'(?:[^'\\]|\\.)*'?/, 'string'],
  [/\b(?:true|false|null|in)\b/, 'keyword'],
  [/\b\d+(?:\.\d+)?\b/, 'number'],
  [/\b(?:input|received|item|index|state|nodes|run|session|secrets)\b/, 'variable.predefined'],
  [/[A-Za-z_]\w*(?=\s*\()/, 'support.function'],
  [/[A-Za-z_]\w*/, 'variable'],
  [/[=!<>&|?:+\-*/%]+/, 'operator'],
];

const kinds = {
  name: monaco.languages.CompletionItemKind.Variable,
  field: monaco.languages.CompletionItemKind.Field,
  function: monaco.languages.CompletionItemKind.Function,
};

function registerLanguage(id: string, kind: 'expression' | 'template'): void {
  monaco.languages.register({ id });
  monaco.languages.setMonarchTokensProvider(
    id,
    kind === 'expression'
      ? { tokenizer: { root: celTokens } }
      : {
          tokenizer: {
            root: [
              [/\{\{/, { token: 'delimiter.expression', next: '@inside' }],
              [/[^{]+/, ''],
              [/\{/, ''],
            ],
            inside: [[/\}\}/, { token: 'delimiter.expression', next: '@pop' }], ...celTokens, [/./, '']],
          },
        },
  );
  monaco.languages.setLanguageConfiguration(id, {
    brackets: [
      ['(', ')'],
      ['[', ']'],
    ],
    autoClosingPairs: [
      { open: '(', close: ')' },
      { open: '[', close: ']' },
      { open: '"', close: '"', notIn: ['string'] },
      { open: '{{', close: '}}' },
    ],
  });
  monaco.languages.registerCompletionItemProvider(id, {
    triggerCharacters: ['.', '{', ' '],
    provideCompletionItems(model, position) {
      const scope = scopes.get(model.uri.toString())?.() ?? [];
      const list = completionsAt(model.getValue(), kind, model.getOffsetAt(position), scope);
      const from = model.getPositionAt(list.from);
      const to = model.getPositionAt(list.to);
      const range = { startLineNumber: from.lineNumber, startColumn: from.column, endLineNumber: to.lineNumber, endColumn: to.column };
      return {
        suggestions: list.items.map((item, at) => ({
          label: { label: item.label, description: item.detail.slice(0, 60) },
          kind: kinds[item.kind],
          insertText: item.insert,
          sortText: String(at).padStart(4, '0'),
          range,
        })),
      };
    },
  });
}

let ready = false;

/** Loads the bundled editor once: no CDN, one worker, two languages of our own. */
export function setUpMonaco(): typeof monaco {
  if (ready) return monaco;
  ready = true;
  self.MonacoEnvironment = {
    getWorker: () => new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), { type: 'module' }),
  };
  loader.config({ monaco });
  registerLanguage('bridle-expression', 'expression');
  registerLanguage('bridle-template', 'template');
  return monaco;
}

/** A colour token of the app as Monaco wants it. Tokens are OKLCH, which Monaco does not read; a canvas turns them into hex. */
function hexOf(token: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return '#888888';
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token).trim() || '#888888';
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Dresses the editor in the app's own colours; called again when the theme changes. */
export function applyTheme(dark: boolean): void {
  const color = (token: string): string => hexOf(token);
  const plain = (token: string): string => hexOf(token).slice(1);
  monaco.editor.defineTheme('bridle', {
    base: dark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: plain('--ink') },
      { token: 'string', foreground: plain('--ok') },
      { token: 'number', foreground: plain('--running') },
      { token: 'keyword', foreground: plain('--waiting') },
      { token: 'variable.predefined', foreground: plain('--waiting') },
      { token: 'support.function', foreground: plain('--running') },
      { token: 'delimiter.expression', foreground: plain('--accent'), fontStyle: 'bold' },
      { token: 'comment', foreground: plain('--faint') },
    ],
    colors: {
      'editor.background': color('--surface'),
      'editor.foreground': color('--ink'),
      'editorCursor.foreground': color('--accent'),
      'editor.lineHighlightBackground': color('--surface'),
      'editorWidget.background': color('--surface'),
      'editorWidget.border': color('--line-strong'),
      'editorSuggestWidget.selectedBackground': color('--hover'),
      'editorSuggestWidget.selectedForeground': color('--ink'),
      'editorSuggestWidget.highlightForeground': color('--accent'),
      'input.background': color('--sunken'),
      focusBorder: color('--ring'),
    },
  });
  monaco.editor.setTheme('bridle');
}
