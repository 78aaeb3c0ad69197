'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { compile } from '@/harness/compiler/compile';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { startCompileLoop } from './compile-loop';
import type { EditorStore } from './store';

/** Good enough to tell plans apart on screen; the plan that runs is hashed by the server. */
const quickHash = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/** Compiles the open flow as it is edited, with the flows its subflow nodes name and the models that are set up. */
export function useCompiling(store: EditorStore): void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const providers = settings.data?.providers.map((provider) => provider.id).join('\n');
  useEffect(() => {
    const known = new Map<string, FlowDocument | null>();
    let stop: (() => void) | null = null;
    let live = true;
    const fetchFlow = async (key: string, id: string, version: number | undefined): Promise<void> => {
      try {
        const document =
          version === undefined
            ? (await client.flows.get.query({ id })).document
            : (await client.flows.getVersion.query({ id, version })).document;
        known.set(key, document);
        restart();
      } catch {
        // Not there: the compiler says so at the node.
      }
    };
    const resolveFlow = (id: string, version?: number): FlowDocument | undefined => {
      const key = `${id}@${version ?? ''}`;
      const found = known.get(key);
      if (found === undefined) {
        known.set(key, null);
        void fetchFlow(key, id, version);
      }
      return found ?? undefined;
    };
    const restart = (): void => {
      stop?.();
      if (!live) return;
      stop = startCompileLoop(store, (document) =>
        compile(document, {
          catalogue,
          hash: quickHash,
          resolveFlow,
          ...(providers === undefined ? {} : { models: { providers: providers.split('\n').filter(Boolean) } }),
        }),
      );
    };
    restart();
    return () => {
      live = false;
      stop?.();
    };
  }, [store, client, providers]);
}
