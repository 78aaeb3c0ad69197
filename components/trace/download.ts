import type { ExportedFile } from '@/server/api-types';

/** Hands a text to the browser as a file. */
export function downloadText({ filename, text }: ExportedFile): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  // The click has taken the blob by the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
