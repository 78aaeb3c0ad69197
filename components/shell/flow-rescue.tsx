'use client';

import { useQuery } from '@tanstack/react-query';
import { Download, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { downloadText } from '../ui/download';
import { formatCount, formatDateTime } from '../ui/format';
import { toast } from '../ui/toast';

/**
 * The way out when the editor cannot show a flow (BR-24): the stored document as a file and every named version, without the canvas. Reads
 * nothing but the API.
 */
export function FlowRescue({ flowId, onRestored }: { flowId: string; onRestored: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const versions = useQuery(trpc.flows.versions.queryOptions({ id: flowId }));
  const [busy, setBusy] = useState<number | 'download' | null>(null);

  const download = async () => {
    setBusy('download');
    try {
      const file = await client.flows.export.query({ id: flowId }).catch(async () => {
        // A document that cannot be exported as a flow is handed out as it is stored.
        const view = await client.flows.get.query({ id: flowId });
        return { filename: 'flow.json', text: view.raw ?? JSON.stringify(view.document, null, 2) };
      });
      downloadText(file.filename, file.text);
    } catch (error) {
      toast.error('The flow could not be downloaded', { description: messageOf(error) });
    }
    setBusy(null);
  };

  const restore = async (version: number) => {
    setBusy(version);
    try {
      await client.flows.restoreVersion.mutate({ id: flowId, version });
      onRestored();
    } catch (error) {
      toast.error('The version could not be restored', { description: messageOf(error) });
    }
    setBusy(null);
  };

  return (
    <Card className="w-full max-w-lg text-left">
      <div className="flex items-center justify-between gap-4 border-line border-b px-4 py-3">
        <div>
          <p className="font-medium">The stored flow</p>
          <p className="text-muted text-xs">Nothing of it is lost. Keep a copy before you change anything.</p>
        </div>
        <Button icon={<Download size={14} />} busy={busy === 'download'} onClick={download}>
          Download JSON
        </Button>
      </div>
      <ul className="max-h-64 overflow-auto">
        {(versions.data ?? []).map((version) => (
          <li key={version.version} className="flex items-center justify-between gap-4 px-4 py-2">
            <div className="min-w-0">
              <p className="truncate">{version.name}</p>
              <p className="text-faint text-xs">
                {formatDateTime(version.createdAt)} · {formatCount(version.nodeCount, 'node')}
              </p>
            </div>
            <Button size="sm" icon={<RotateCcw size={14} />} busy={busy === version.version} onClick={() => void restore(version.version)}>
              Restore
            </Button>
          </li>
        ))}
        {versions.data?.length === 0 ? <li className="px-4 py-3 text-muted">No named versions of this flow exist yet.</li> : null}
        {versions.error ? <li className="px-4 py-3 text-fail">{messageOf(versions.error)}</li> : null}
      </ul>
    </Card>
  );
}
