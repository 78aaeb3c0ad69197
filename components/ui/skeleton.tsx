import { cn } from './cn';

/** A grey block the size of what is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-shimmer rounded-md bg-hover', className)} />;
}
