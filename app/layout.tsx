import './globals.css';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { AppShell } from '@/components/shell/app-shell';
import { ThemeScript } from '@/components/ui/theme-script';

export const metadata: Metadata = {
  title: { default: 'Bridle', template: '%s · Bridle' },
  description: 'Draw the harness around an LLM agent, run it, and see why every decision was made.',
  manifest: '/manifest.webmanifest',
  icons: { icon: '/icon.svg', apple: '/apple-touch-icon.png' },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fdfcfb' },
    { media: '(prefers-color-scheme: dark)', color: '#181614' },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The class that says dark or light is set before hydration, by the script.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <ThemeScript />
      </head>
      <body>
        <AppShell>{children}</AppShell>
      </body>
    </html>
  );
}
