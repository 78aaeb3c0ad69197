import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import { type ContextTier, capEntries, truncationNotice } from '@/harness/planning/context/tier';

/** What a tool gave, as a model reads it. The verdict is out of band, in `exit_code` (decision P8). */
export interface ToolText {
  text: string;
  exit_code: number | null;
  /** Where the tool itself has put its whole output. */
  savedTo: string | null;
}

/** The arguments as they are sent: what the window allows, where the model asked for more or for no bound (planning.md §0). */
export function cappedInput(tool: string, input: JsonObject, tier: ContextTier): JsonObject {
  if (tool === 'read_file' && tier.readFileLines !== null && input.limit === undefined) return { ...input, limit: tier.readFileLines };
  if (tool === 'grep_files' && tier.grepHits !== null) {
    return { ...input, maxHits: typeof input.maxHits === 'number' ? Math.min(input.maxHits, tier.grepHits) : tier.grepHits };
  }
  return input;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const withNotice = (lines: readonly string[], notice: string): string => [...lines, ...(notice === '' ? [] : [notice])].join('\n');

function fileText(output: JsonObject): string {
  const last = numberOf(output.lastLine);
  const total = numberOf(output.totalLines);
  // The rule speaks of start_line; the tool of this host calls it offset.
  const notice = last === null || total === null ? '' : truncationNotice(last, total).replace('start_line', 'offset');
  return withNotice([textOf(output.content)], notice);
}

function hitsText(output: JsonObject): string {
  const hits = Array.isArray(output.hits) ? output.hits.filter(isJsonObject) : [];
  const lines = hits.map(({ path, line, text }) => `${textOf(path)}:${numberOf(line) ?? ''}: ${textOf(text)}`);
  if (lines.length === 0) return 'No matches.';
  return withNotice(lines, output.truncated === true ? '[more matches left out; narrow the request]' : '');
}

function folderText(output: JsonObject, tier: ContextTier): string {
  const entries = Array.isArray(output.entries) ? output.entries.filter(isJsonObject) : [];
  const { kept, notice } = capEntries(entries, tier.listEntries, 'entries');
  const lines = kept.map(({ name, kind }) => `${textOf(name)}${kind === 'directory' ? '/' : ''}`);
  return lines.length === 0 ? '(empty)' : withNotice(lines, notice);
}

function treeText(output: JsonObject, tier: ContextTier): string {
  const { kept, notice } = capEntries(textOf(output.tree).split('\n'), tier.treeEntries, 'entries');
  return withNotice(kept, notice);
}

/** The tools say their verdict in the first line as well; it is taken off here, since the loop puts it there from the exit code. */
const withoutVerdict = (text: string): string => text.replace(/^(?:PASSED|FAILED \(exit code -?\d+\)[^\n]*)(?:\n|$)/, '');

/** An output as text: files, matches, folders and command output as people read them, everything else as JSON. */
export function toolText(tool: string, output: Json, tier: ContextTier): ToolText {
  const plain = (text: string): ToolText => ({ text, exit_code: null, savedTo: null });
  if (typeof output === 'string') return plain(output);
  if (!isJsonObject(output)) return plain(JSON.stringify(output));
  if (tool === 'read_file' && typeof output.content === 'string') return plain(fileText(output));
  if (tool === 'grep_files' && Array.isArray(output.hits)) return plain(hitsText(output));
  if (tool === 'list_directory' && Array.isArray(output.entries)) return plain(folderText(output, tier));
  if (tool === 'directory_tree' && typeof output.tree === 'string') return plain(treeText(output, tier));
  const exit_code = numberOf(output.exitCode);
  if (exit_code !== null && typeof output.output === 'string') {
    return { text: withoutVerdict(output.output), exit_code, savedTo: textOf(output.savedTo) === '' ? null : textOf(output.savedTo) };
  }
  return { ...plain(JSON.stringify(output)), exit_code };
}
