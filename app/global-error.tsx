'use client';

import './globals.css';
import { useEffect, useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { downloadText } from '@/components/ui/download';

/** The one call made without the API client, which may be what failed. */
async function downloadFlow(encodedId: string): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ id: decodeURIComponent(encodedId) }));
  const answer = await fetch(`/api/trpc/flows.export?input=${input}`);
  const body: { result?: { data?: { filename: string; text: string } } } = await answer.json();
  const file = body.result?.data;
  if (file) downloadText(file.filename, file.text);
}

/** The last net: the frame of the app itself failed, so nothing of it is used here. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const [flowId, setFlowId] = useState<string | null>(null);
  useEffect(() => setFlowId(/^\/flows\/([^/]+)/.exec(location.pathname)?.[1] ?? null), []);
  return (
    <html lang="en">
      <body>
        <title>Bridle could not be shown</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-3 p-6 text-center">
          <h1 className="font-semibold text-xl">Bridle could not be shown</h1>
          <p className="max-w-md text-muted">{error.message}</p>
          <div className="mt-2 flex gap-2">
            <button type="button" className={buttonClass('primary')} onClick={reset}>
              Try again
            </button>
            {flowId === null ? null : (
              <button type="button" className={buttonClass('secondary')} onClick={() => void downloadFlow(flowId)}>
                Download the stored flow
              </button>
            )}
          </div>
        </main>
      </body>
    </html>
  );
}
