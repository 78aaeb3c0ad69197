'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '../ui/cn';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { BarOutlet } from './bar-slot';
import { Mark } from './mark';
import { destinations, isCurrent, isEditor } from './navigation';
import { RehearsalBadge } from './rehearsal';
import { ThemeMenu } from './theme-menu';

function NavigationMenu({ path, className }: { path: string; className?: string }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        className={cn('flex h-8 items-center gap-1 rounded-md px-1.5 text-accent hover:bg-hover', className)}
        aria-label="Bridle: go to another page"
      >
        <Mark size={20} />
        <ChevronDown aria-hidden size={12} className="text-faint" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {destinations.map((destination) => (
          <DropdownMenuItem key={destination.href} icon={<destination.icon size={16} />} asChild>
            <Link href={destination.href} aria-current={isCurrent(destination.href, path) ? 'page' : undefined}>
              <destination.icon aria-hidden size={16} className="text-faint" />
              {destination.title}
            </Link>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function NavigationLinks({ path }: { path: string }) {
  return (
    <nav aria-label="Main" className="hidden items-center gap-0.5 lg:flex">
      {destinations.map((destination) => {
        const current = isCurrent(destination.href, path);
        return (
          <Link
            key={destination.href}
            href={destination.href}
            aria-current={current ? 'page' : undefined}
            className={cn(
              'flex h-8 items-center rounded-md px-2.5 text-sm transition-colors',
              current ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
            )}
          >
            {destination.title}
          </Link>
        );
      })}
    </nav>
  );
}

/** The one bar: mark and pages at the left, what the page puts there, theme at the right. */
export function TopBar() {
  const path = usePathname();
  const folded = isEditor(path);
  return (
    <header className="relative z-20 flex h-11 shrink-0 items-center gap-2 border-line border-b bg-surface px-2">
      {folded ? (
        <NavigationMenu path={path} />
      ) : (
        <>
          <NavigationMenu path={path} className="lg:hidden" />
          <Link href="/" className="mr-2 hidden h-8 items-center gap-2 rounded-md px-2 lg:flex">
            <span className="text-accent">
              <Mark size={20} />
            </span>
            <span className="font-semibold text-base tracking-tight">Bridle</span>
          </Link>
          <NavigationLinks path={path} />
        </>
      )}
      <BarOutlet place="start" className="flex min-w-0 items-center gap-2" />
      <BarOutlet place="center" className="flex min-w-0 flex-1 items-center justify-center gap-2" />
      <BarOutlet place="end" className="flex shrink-0 items-center gap-1.5" />
      <RehearsalBadge />
      <ThemeMenu />
    </header>
  );
}
