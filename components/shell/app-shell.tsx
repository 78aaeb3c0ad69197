'use client';

import type { ReactNode } from 'react';
import { ApiProvider } from '../state/trpc';
import { Toaster } from '../ui/toast';
import { TooltipProvider } from '../ui/tooltip';
import { BarSlotProvider } from './bar-slot';
import { OfflineBanner } from './offline-banner';
import { RehearsalBanner } from './rehearsal';
import { TopBar } from './top-bar';

/** The frame of every page: bar, banners, and a main region that fills what is left. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <ApiProvider>
      <TooltipProvider>
        <BarSlotProvider>
          <div className="flex h-dvh flex-col">
            <a
              href="#main"
              className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-accent focus:px-3 focus:py-1.5 focus:text-on-accent"
            >
              Skip to content
            </a>
            <TopBar />
            <OfflineBanner />
            <RehearsalBanner />
            <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
              {children}
            </main>
          </div>
          <Toaster />
        </BarSlotProvider>
      </TooltipProvider>
    </ApiProvider>
  );
}
