'use client';

import { useEffect, useMemo, useRef } from 'react';
import { isBridleError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { canonicalText } from '@/harness/flow/canonical';
import { messageOf } from '../state/api-error';
import { useTRPCClient } from '../state/trpc';
import { downloadText } from '../ui/download';
import { toast } from '../ui/toast';
import type { EditorServices } from './actions/action';
import type { Autosave } from './autosave';
import { exportPng, flowPicture } from './flow-picture';
import { flowSummary } from './flow-summary';
import type { LayoutStore } from './layout-store';
import type { EditorStore } from './store';
import type { RunControl } from './use-run';

interface Parts {
  editor: EditorStore;
  layout: LayoutStore;
  run: RunControl;
  saving: { current: Autosave | null };
  flowId: string;
  navigate: (href: string) => void;
}

const fileName = (name: string, ending: string): string =>
  `${
    name
      .trim()
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'flow'
  }.${ending}`;

/** Outputs that are already known, so that a part of the flow can run on them. */
function knownOutputs(editor: EditorStore): Record<string, Json> {
  const outputs: Record<string, Json> = {};
  for (const [id, node] of editor.getState().run.nodes)
    if (node.output !== undefined && node.status !== 'failed') outputs[id] = node.output;
  return outputs;
}

/** What commands do beyond the flow on the canvas. */
export function useServices(parts: Parts): EditorServices {
  const client = useTRPCClient();
  // Commands are bound once; what they use changes with every render.
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  return useMemo(() => {
    const document = () => latest.current.editor.getState().document;
    const ask = (options: { from?: string; until?: string }): void => {
      const { editor, layout } = latest.current;
      const { compiled } = editor.getState();
      const blocked = compiled?.document === editor.getState().document && compiled.plan === null;
      if (blocked) {
        layout.setState({ dock: true, dockTab: 'problems' });
        toast.error('The flow has problems that keep it from running', { description: 'They are listed below the canvas.' });
        return;
      }
      layout.setState({
        dialog: 'run',
        runOptions: { ...options, ...(options.from === undefined ? {} : { seedOutputs: knownOutputs(editor) }) },
      });
    };
    const services: EditorServices = {
      run: (options = {}) => ask(options),
      runOnly: (id) => ask({ from: id, until: id }),
      stop: () => void latest.current.run.stop(),
      continue: (mode) => void latest.current.run.continue(mode),
      pinLast: (id) => {
        const { run, pin } = latest.current.editor.getState();
        const node = run.nodes.get(id);
        if (!node || node.output === undefined) return;
        pin(id, { output: node.output, ...(node.port === null ? {} : { port: node.port }), runId: run.runId, at: Date.now() });
      },
      showRun: (id) => latest.current.run.show(id),
      exportJson: () => downloadText(fileName(document().name, 'json'), canonicalText(document())),
      exportPicture: (kind) => {
        const svg = flowPicture(document());
        if (kind === 'svg') {
          downloadText(fileName(document().name, 'svg'), svg.text, 'image/svg+xml');
          return;
        }
        exportPng(svg, fileName(document().name, 'png')).catch((error: unknown) =>
          toast.error('The picture could not be made', { description: messageOf(error) }),
        );
      },
      exportSummary: () => downloadText(fileName(document().name, 'md'), flowSummary(document()), 'text/markdown'),
      importText: (text) => {
        client.flows.import
          .mutate({ text })
          .then(({ id, name, notices }) => {
            toast.success(`Imported ${name}`, { description: notices.join(' ') || undefined });
            latest.current.navigate(`/flows/${encodeURIComponent(id)}`);
          })
          .catch((error: unknown) => toast.error('The flow was not imported', { description: messageOf(error) }));
      },
      duplicateFlow: () => {
        void (async () => {
          try {
            await latest.current.saving.current?.flush();
            const { id } = await client.flows.duplicate.mutate({ id: latest.current.flowId });
            latest.current.navigate(`/flows/${encodeURIComponent(id)}`);
          } catch (error) {
            toast.error('The flow was not duplicated', { description: isBridleError(error) ? error.message : messageOf(error) });
          }
        })();
      },
      save: () => {
        void latest.current.saving.current?.flush().then(() => {
          if (latest.current.editor.getState().save.status === 'saved') toast.success('Saved');
        });
      },
      navigate: (href) => latest.current.navigate(href),
      say: (message, tone = 'plain') => {
        if (tone === 'error') toast.error(message);
        else if (tone === 'success') toast.success(message);
        else toast(message);
      },
    };
    return services;
  }, [client]);
}
