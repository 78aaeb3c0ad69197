'use client';

import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { Attachment } from '@/server/api-types';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { AttachmentChips } from './attachment-chips';
import { attachmentCount, readAttachments } from './attachments';
import { createEnterGuard } from './enter-guard';
import type { WorkspaceMode } from './local-memory';
import { WorkspacePicker } from './workspace-picker';

export interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  onSend: (text: string, attachments: readonly Attachment[]) => void;
  /** A turn is running or waits: what is sent now is queued. */
  busy: boolean;
  onStop: (() => void) | undefined;
  stopping: boolean;
  workspace: string;
  onWorkspace: (workspace: string) => void;
  mode: WorkspaceMode;
  onMode: (mode: WorkspaceMode) => void;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Where messages are written. Enter sends, Shift+Enter begins a line, and the Enter of an input method does neither (BR-64). */
export function Composer({ text, onText, onSend, busy, onStop, stopping, workspace, onWorkspace, mode, onMode, field }: ComposerProps) {
  const [guard] = useState(createEnterGuard);
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const ready = text.trim() !== '';

  const send = () => {
    if (!ready) return;
    onSend(text, attachments);
    onText('');
    setAttachments([]);
    setRefused([]);
  };
  const attach = async (files: readonly File[]) => {
    const result = await readAttachments(files, attachmentCount - attachments.length);
    setAttachments((before) => [...before, ...result.taken].slice(0, attachmentCount));
    setRefused(result.refused);
  };

  return (
    <div className="@container rounded-lg border border-line bg-surface shadow-card transition-colors focus-within:border-ring">
      <div className="px-3 pt-2 empty:hidden">
        <AttachmentChips attachments={attachments} onRemove={(index) => setAttachments(attachments.filter((_, at) => at !== index))} />
        {refused.map((reason) => (
          <p key={reason} role="alert" className="text-fail text-xs">
            {reason}
          </p>
        ))}
      </div>
      <div className="flex flex-col @min-[560px]:flex-row @min-[560px]:items-end">
        <textarea
          ref={field}
          aria-label="Message"
          placeholder={busy ? 'Write the next message; it goes out after this turn' : 'Write a message'}
          rows={1}
          value={text}
          className="block max-h-60 min-h-10 w-full min-w-0 flex-1 resize-none bg-transparent px-3 py-2.5 outline-none [field-sizing:content]"
          onChange={(event) => onText(event.target.value)}
          onCompositionEnd={(event) => guard.compositionEnd(event.timeStamp)}
          onKeyUp={() => guard.keyUp()}
          onKeyDown={(event) => {
            const { key, shiftKey, keyCode, timeStamp } = event;
            if (!guard.sends({ key, shiftKey, keyCode, timeStamp, isComposing: event.nativeEvent.isComposing })) return;
            event.preventDefault();
            send();
          }}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            void attach(files);
          }}
        />
        <div className="flex shrink-0 items-center gap-1 px-1.5 pb-1.5">
          <input
            ref={picker}
            type="file"
            multiple
            className="sr-only"
            tabIndex={-1}
            aria-label="Text files to attach"
            onChange={(event) => {
              void attach([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          <IconButton label="Attach text files" icon={<Paperclip size={14} />} size="sm" onClick={() => picker.current?.click()} />
          <WorkspacePicker value={workspace} onChange={onWorkspace} mode={mode} onMode={onMode} />
          <span className="flex-1" />
          {onStop ? (
            <Button size="sm" icon={<Square size={12} fill="currentColor" />} busy={stopping} onClick={onStop}>
              Stop
            </Button>
          ) : null}
          <Button size="sm" variant="primary" icon={<ArrowUp size={14} />} disabled={!ready} onClick={send}>
            Send
          </Button>
        </div>
      </div>
    </div>
  );
}
