import { Compass } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <EmptyState
      icon={<Compass size={18} />}
      title="Nothing is at this address"
      className="min-h-full"
      action={
        <Link href="/" className={buttonClass('primary')}>
          Go home
        </Link>
      }
    >
      The flow, run or page may have been removed, or the address has a mistake in it.
    </EmptyState>
  );
}
