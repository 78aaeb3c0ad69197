'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button';
import { toast } from './toast';

/** Copies `text()`, called only on the click so that big texts cost nothing until then. */
export function CopyButton({ text, label = 'Copy', className }: { text: () => string; label?: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      size="sm"
      {...(className === undefined ? {} : { className })}
      icon={copied ? <Check size={14} className="text-ok" /> : <Copy size={14} />}
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text());
          setCopied(true);
        } catch {
          toast.error('The browser did not allow copying. Select the text and copy it by hand.');
        }
      }}
    />
  );
}
