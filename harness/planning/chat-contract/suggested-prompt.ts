import { z } from 'zod';
import { type ChatContractConfig, defaultChatContractConfig } from './config';

/** What *Send to plan* hands over (planning.md §2). */
export const suggestedPromptSchema = z.object({ text: z.string().min(1), references: z.array(z.string()) });
export type SuggestedPrompt = z.output<typeof suggestedPromptSchema>;

interface Block {
  /** The last line with text before the block. */
  before: string;
  lines: string[];
  closed: boolean;
}

const opening = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;

/**
 * Fenced blocks of a text. A block within a block is part of it, also when both use marks of one length, as models write it: within an open
 * block a mark with a language opens, a bare one closes what was opened last.
 */
export function fencedBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let before = '';
  let open: { mark: string; inner: string[]; block: Block } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const match = opening.exec(line);
    const mark = match?.[1] ?? '';
    const info = (match?.[2] ?? '').trim();
    if (open === null) {
      if (match === null) {
        if (line.trim() !== '') before = line.trim();
        continue;
      }
      open = { mark, inner: [], block: { before, lines: [], closed: false } };
      blocks.push(open.block);
      continue;
    }
    const inmost = open.inner.at(-1) ?? open.mark;
    const closes = match !== null && info === '' && mark.charAt(0) === inmost.charAt(0) && mark.length >= inmost.length;
    if (closes && open.inner.length === 0) {
      open.block.closed = true;
      open = null;
      before = '';
      continue;
    }
    if (closes) open.inner.pop();
    else if (match !== null && info !== '' && mark.length <= open.mark.length) open.inner.push(mark);
    open.block.lines.push(line);
  }
  return blocks;
}

const sameHeading = (line: string, title: string): boolean =>
  line.replace(/[*:]/g, '').replace(/\s+/g, ' ').trim().toLowerCase() === title.toLowerCase();

const levelOf = (line: string): number => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;

/** The entries of the references section, without their bullets, up to the next heading. */
function referencesIn(lines: readonly string[], config: ChatContractConfig): string[] | null {
  const start = lines.findIndex((line) => sameHeading(line, config.referencesTitle));
  if (start === -1) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => levelOf(line) > 0);
  return (end === -1 ? rest : rest.slice(0, end))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '' && !/^(?:`{3,}|~{3,})/.test(line));
}

export type PromptCheck = { ok: true; prompt: SuggestedPrompt } | { ok: false; problem: string };

/** Round 2 must hold exactly one fenced block titled `## Suggested Agent Prompt`, within it or just before it, with `### References` that name something. */
export function checkSuggestedPrompt(text: string, config: ChatContractConfig = defaultChatContractConfig): PromptCheck {
  const titled = fencedBlocks(text).flatMap((block) => {
    const first = block.lines.findIndex((line) => line.trim() !== '');
    const inside = first !== -1 && sameHeading(block.lines[first] ?? '', config.promptTitle);
    if (!inside && !sameHeading(block.before, config.promptTitle)) return [];
    return [{ ...block, lines: inside ? block.lines.slice(first + 1) : block.lines }];
  });
  const [block] = titled;
  if (block === undefined) return { ok: false, problem: `There is no fenced block titled "${config.promptTitle}".` };
  if (titled.length > 1)
    return { ok: false, problem: `There are ${titled.length} blocks titled "${config.promptTitle}"; there must be one.` };
  if (!block.closed)
    return { ok: false, problem: `The block titled "${config.promptTitle}" is not closed; the reply may have been cut off.` };
  const references = referencesIn(block.lines, config);
  if (references === null) return { ok: false, problem: `The prompt has no "${config.referencesTitle}" section.` };
  if (references.length === 0) return { ok: false, problem: `The "${config.referencesTitle}" section names nothing.` };
  return { ok: true, prompt: { text: block.lines.join('\n').trim(), references } };
}
