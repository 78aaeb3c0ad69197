'use client';

import { FileUp, Link2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Textarea } from '../ui/textarea';
import type { ActionContext } from './actions/action';
import { pasteText } from './actions/clipboard';

/** A flow from a file or from text: as a flow of its own, or into the one that is open. */
export function ImportDialog({ context, onClose }: { context: ActionContext; onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Import a flow"
      description="From a file or as text. Nothing is run or fetched by importing."
      footer={
        <>
          <Button
            disabled={text.trim() === ''}
            onClick={() => {
              onClose();
              pasteText(context, text, false);
            }}
          >
            Insert into this flow
          </Button>
          <Button
            variant="primary"
            disabled={text.trim() === ''}
            onClick={() => {
              onClose();
              context.services.importText(text);
            }}
          >
            Open as a new flow
          </Button>
        </>
      }
    >
      <label className="mb-3 flex h-20 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line-strong border-dashed text-muted text-sm hover:bg-hover">
        {name === '' ? <FileUp aria-hidden size={18} /> : <Link2 aria-hidden size={18} />}
        {name === '' ? 'Choose a file, or drop one on the canvas' : name}
        <input
          type="file"
          accept=".json,application/json"
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (!file) return;
            setName(file.name);
            void file.text().then(setText);
          }}
        />
      </label>
      <Field id={id} label="Text of the flow">
        <Textarea
          id={id}
          rows={8}
          spellCheck={false}
          className="font-mono text-xs"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
