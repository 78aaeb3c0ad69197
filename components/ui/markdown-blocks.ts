/**
 * Joined, the blocks are the text again. Splits Markdown at blank lines outside code fences, so that while text streams only the last block is
 * parsed anew.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  let position = 0;
  let fence: string | null = null;
  while (position < text.length) {
    const newline = text.indexOf('\n', position);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(position, end);
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined) {
      if (fence === null) fence = marker;
      else if (marker.startsWith(fence[0] ?? '') && marker.length >= fence.length) fence = null;
    } else if (fence === null && line.trim() === '' && position > start) {
      blocks.push(text.slice(start, end));
      start = end;
    }
    position = end;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}
