import { FileText, X } from 'lucide-react';
import type { Attachment } from '@/server/api-types';
import { formatBytes } from '../ui/format';

/** Names and sizes of attached texts. */
export function AttachmentChips({ attachments, onRemove }: { attachments: readonly Attachment[]; onRemove?: (index: number) => void }) {
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may bear one name; their place tells them apart
        <li key={index} className="flex h-6 max-w-60 items-center gap-1 rounded-sm border border-line bg-surface px-1.5 text-xs">
          <FileText aria-hidden size={12} className="shrink-0 text-faint" />
          <span className="truncate">{attachment.name}</span>
          <span className="shrink-0 text-faint">{formatBytes(attachment.text.length)}</span>
          {onRemove ? (
            <button
              type="button"
              aria-label={`Remove ${attachment.name}`}
              className="rounded-sm p-0.5 hover:bg-hover"
              onClick={() => onRemove(index)}
            >
              <X aria-hidden size={12} />
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
