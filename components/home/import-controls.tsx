'use client';

import { ClipboardPaste, FileUp, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import type { FlowImport } from './use-flow-import';

/** The import button: files from the disk, or text in a dialog. */
export function ImportButton({ flowImport }: { flowImport: FlowImport }) {
  const picker = useRef<HTMLInputElement>(null);
  const [pasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const importText = () => {
    flowImport.text(text);
    setPasting(false);
    setText('');
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        accept=".json,application/json"
        className="sr-only"
        tabIndex={-1}
        aria-label="Flow files to import"
        onChange={(event) => {
          flowImport.files([...(event.target.files ?? [])]);
          // The same file can be picked again only when the field is empty.
          event.target.value = '';
        }}
      />
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button icon={<Upload size={14} />} busy={flowImport.busy}>
            Import
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem icon={<FileUp size={14} />} onSelect={() => picker.current?.click()}>
            Choose files
          </DropdownMenuItem>
          <DropdownMenuItem icon={<ClipboardPaste size={14} />} onSelect={() => setPasting(true)}>
            Paste JSON
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Dialog
        open={pasting}
        onOpenChange={setPasting}
        title="Paste a flow"
        description="The JSON text of an exported flow. Importing runs nothing and fetches nothing."
        footer={
          <>
            <Button onClick={() => setPasting(false)}>Cancel</Button>
            <Button variant="primary" disabled={text.trim() === ''} onClick={importText}>
              Import flow
            </Button>
          </>
        }
      >
        <Field id="paste-flow" label="Flow JSON">
          <Textarea
            id="paste-flow"
            rows={10}
            spellCheck={false}
            className="font-mono text-xs"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </Dialog>
    </>
  );
}

/** Shown over the page while files hang above it. */
export function DropOverlay({ visible }: { visible: boolean }) {
  if (!visible) return null;
  return (
    <div className="pointer-events-none fixed inset-3 z-30 flex animate-fade items-center justify-center rounded-xl border-2 border-accent border-dashed bg-accent-soft/80">
      <p className="flex items-center gap-2 rounded-lg bg-surface px-4 py-3 font-medium text-lg shadow-pop">
        <Upload aria-hidden size={18} className="text-accent" /> Drop flow files to import them
      </p>
    </div>
  );
}
