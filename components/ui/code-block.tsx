'use client';

import { cn } from './cn';
import { CopyButton } from './copy-button';

/** Monospaced text with a copy button. Long lines scroll; the block never stretches its parent. */
export function CodeBlock({ code, language, className }: { code: string; language?: string; className?: string }) {
  return (
    <div className={cn('group relative my-2 min-w-0 overflow-hidden rounded-md border border-line bg-sunken', className)}>
      {language ? <div className="border-line border-b px-3 py-1 font-mono text-faint text-xs">{language}</div> : null}
      <pre className="overflow-x-auto px-3 py-2 text-xs leading-5">
        <code>{code}</code>
      </pre>
      <div className="absolute top-0.5 right-0.5 opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100">
        <CopyButton text={() => code} label="Copy code" />
      </div>
    </div>
  );
}
