/** Hands a text to the browser as a file. */
export function downloadText(filename: string, text: string, mediaType = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // The download has taken its own reference by the time this runs.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
