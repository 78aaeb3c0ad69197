'use client';

import { useParams, usePathname, useRouter } from 'next/navigation';
import { FlowRescue } from '@/components/shell/flow-rescue';
import { isEditor } from '@/components/shell/navigation';
import { ErrorState } from '@/components/ui/error-state';

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const path = usePathname();
  const router = useRouter();
  const { id } = useParams();
  const flowId = isEditor(path) && typeof id === 'string' ? decodeURIComponent(id) : null;
  return (
    <div className="flex min-h-full flex-col items-center justify-center p-6">
      <ErrorState
        title={flowId === null ? 'This page could not be shown' : 'The editor could not show this flow'}
        message={error.message}
        onRetry={reset}
        className="py-4"
      />
      {flowId === null ? null : (
        <FlowRescue
          flowId={flowId}
          onRestored={() => {
            router.refresh();
            reset();
          }}
        />
      )}
    </div>
  );
}
