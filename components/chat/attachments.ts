import type { Attachment } from '@/server/api-types';

/** Longest attachment, in characters; the API refuses more. */
export const attachmentLimit = 1_000_000;
export const attachmentCount = 20;

export interface AttachmentSource {
  name: string;
  type: string;
  size: number;
  text(): Promise<string>;
}

/** Reads files as text. A file that is no text, or too long, is named with the reason and the others are taken. */
export async function readAttachments(
  files: readonly AttachmentSource[],
  room: number,
): Promise<{ taken: Attachment[]; refused: string[] }> {
  const taken: Attachment[] = [];
  const refused: string[] = [];
  for (const file of files) {
    if (taken.length >= room) {
      refused.push(`${file.name}: a message takes at most ${attachmentCount} files`);
      continue;
    }
    if (file.size > attachmentLimit * 4) {
      refused.push(`${file.name}: longer than 1,000,000 characters`);
      continue;
    }
    const text = await file.text();
    if (text.includes('\u0000')) refused.push(`${file.name}: not a text file`);
    else if (text.length > attachmentLimit) refused.push(`${file.name}: longer than 1,000,000 characters`);
    else taken.push({ name: file.name, mediaType: file.type || 'text/plain', text });
  }
  return { taken, refused };
}
