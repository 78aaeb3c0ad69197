import { LoaderCircle } from 'lucide-react';
import { cn } from './cn';

/** Decorative: whoever shows it says in words what is being waited for. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle aria-hidden size={size} className={cn('animate-spin', className)} />;
}
