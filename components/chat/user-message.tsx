'use client';

import { Clock, Pencil, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ChatEntry } from '@/server/api-types';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { formatClock, formatDateTime, formatNumber } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { Textarea } from '../ui/textarea';
import { AttachmentChips } from './attachment-chips';

/** Longest text a bubble shows before it is opened, in characters. */
const bubbleLimit = 4000;

export function Bubble({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > bubbleLimit;
  return (
    <div className="max-w-[85%] self-end whitespace-pre-wrap break-words rounded-lg rounded-br-sm border border-line bg-hover px-3 py-2">
      {cut ? `${text.slice(0, bubbleLimit)}…` : text}
      {cut ? (
        <Button size="sm" className="mt-2 flex" onClick={() => setWhole(true)}>
          Show all {formatNumber(text.length)} characters
        </Button>
      ) : null}
    </div>
  );
}

export interface UserMessageProps {
  entry: ChatEntry;
  onResend: (text: string) => void;
  onRemove: () => void;
}

/** What a person said, with edit and resend, copy and delete. */
export function UserMessage({ entry, onResend, onRemove }: UserMessageProps) {
  const [edited, setEdited] = useState<string | null>(null);
  if (edited !== null) {
    return (
      <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-2">
        <Textarea aria-label="Edited message" autoFocus rows={3} value={edited} onChange={(event) => setEdited(event.target.value)} />
        <p className="text-faint text-xs">Sending it again goes on in a new chat; this one stays as it is.</p>
        <div className="flex justify-end gap-2">
          <Button size="sm" onClick={() => setEdited(null)}>
            Cancel
          </Button>
          <Button
            size="sm"
            variant="primary"
            disabled={edited.trim() === ''}
            onClick={() => {
              onResend(edited);
              setEdited(null);
            }}
          >
            Send again
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="group flex flex-col items-end gap-1">
      {entry.attachments ? <AttachmentChips attachments={entry.attachments} /> : null}
      <Bubble text={entry.text} />
      <div className="flex h-7 items-center gap-1 text-faint text-xs">
        {entry.status === 'queued' ? (
          <span className="mr-1 flex items-center gap-1">
            <Clock aria-hidden size={12} /> Queued after the turn before it
          </span>
        ) : null}
        <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100">
          <span className="tabular px-1" title={formatDateTime(entry.at)}>
            {formatClock(entry.at)}
          </span>
          <IconButton label="Edit and send again" icon={<Pencil size={14} />} size="sm" onClick={() => setEdited(entry.text)} />
          <CopyButton text={() => entry.text} label="Copy message" />
          <IconButton label="Delete message" icon={<Trash2 size={14} />} size="sm" tone="danger" onClick={onRemove} />
        </span>
      </div>
      {entry.error ? (
        <p role="alert" className="flex max-w-[85%] items-start gap-1.5 text-fail">
          <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">The turn did not start: {entry.error.message}</span>
        </p>
      ) : null}
    </div>
  );
}
