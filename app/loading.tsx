import { Spinner } from '@/components/ui/spinner';

export default function Loading() {
  return (
    <div role="status" className="flex h-full items-center justify-center gap-2 text-muted">
      <Spinner /> Loading
    </div>
  );
}
