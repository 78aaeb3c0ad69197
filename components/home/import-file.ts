/** What became of one file or pasted text. */
export interface ImportOutcome {
  /** The file's name, or what stands for it ("pasted text"). */
  source: string;
  flow: { id: string; name: string } | null;
  /** What was changed on the way in, or why it was refused. */
  messages: string[];
}

export interface ImportSource {
  name: string;
  size: number;
  text(): Promise<string>;
}

/** Longest file that is read into memory, in bytes. */
export const importLimit = 20_000_000;

type ImportCall = (text: string) => Promise<{ id: string; name: string; notices: string[] }>;

/** Every source is tried; one that is refused does not stop the others (BR-36). */
export async function importAll(
  sources: readonly ImportSource[],
  call: ImportCall,
  explain: (error: unknown) => string,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const source of sources) {
    try {
      outcomes.push(await importOne(source, call));
    } catch (error) {
      outcomes.push({ source: source.name, flow: null, messages: [explain(error)] });
    }
  }
  return outcomes;
}

async function importOne(source: ImportSource, call: ImportCall): Promise<ImportOutcome> {
  const refuse = (message: string): ImportOutcome => ({ source: source.name, flow: null, messages: [message] });
  if (source.size > importLimit) return refuse('It is larger than 20 MB, the most that can be imported.');
  const text = (await source.text()).replace(/^\uFEFF/, '');
  if (text.trim() === '') return refuse('It is empty.');
  if (text.startsWith('PK')) return refuse('It is a zip archive. Unpack it and import the JSON files inside.');
  const { id, name, notices } = await call(text);
  return { source: source.name, flow: { id, name }, messages: notices };
}
