import type { FlowContent, FlowRepository, FlowRow } from '@/db/repositories/flows';
import type { Catalogue } from '@/harness/contract/catalogue';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import type { RunRecord } from '@/harness/engine/run-store';
import { canonicalText } from '@/harness/flow/canonical';
import { freeName, importCopy } from '@/harness/flow/import-copy';
import { type ParsedFlow, parseFlow, readFlow } from '@/harness/flow/parse-flow';
import { type FlowPreview, previewOf } from '@/harness/flow/preview';
import { type FlowDocument, flowDocumentSchema, flowFormat, flowVersion } from '@/harness/flow/schema';
import type { ExportedFile, FlowSummary, FlowVersionView, FlowView } from '../api-types';
import { sha256 } from '../host/hash';
import { newId } from '../host/ids';
import type { FlowService } from '../host/services';

export interface FlowTemplates {
  /** The template's document; null when there is no such template. */
  document(id: string): FlowDocument | null;
}

export interface FlowServiceOptions {
  repository: FlowRepository;
  catalogue: Catalogue;
  templates: FlowTemplates;
  latestRuns: () => Map<string, Pick<RunRecord, 'id' | 'status' | 'startedAt'>>;
  now: () => number;
  changed: (id: string, revision: number) => void;
  removed: (id: string) => void;
}

const notFound = (id: string) => userError('FLOW_NOT_FOUND', `There is no flow ${id}. It may have been removed.`);

/** The document, or the error that names place and reason. */
const orThrow = (parsed: ParsedFlow): FlowDocument => {
  if (!parsed.ok) throw parsed.error;
  return parsed.document;
};

const emptyFlow = (id: string, name: string): FlowDocument =>
  flowDocumentSchema.parse({
    format: flowFormat,
    version: flowVersion,
    id,
    name,
    nodes: [
      { id: 'input', type: 'input', typeVersion: 1, label: 'Input', config: {} },
      { id: 'output', type: 'output', typeVersion: 1, label: 'Output', config: {} },
    ],
    edges: [],
    layout: { nodes: { input: { x: 0, y: 0 }, output: { x: 480, y: 0 } } },
  });

/** A name as a file name that every system takes. */
export const fileName = (name: string, ending: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 80);
  return `${plain === '' ? 'flow' : plain}.${ending}`;
};

export class Flows implements FlowService {
  readonly #options: FlowServiceOptions;
  readonly #previews = new Map<string, { revision: number; drawn: { preview?: FlowPreview } }>();

  constructor(options: FlowServiceOptions) {
    this.#options = options;
  }

  list(): FlowSummary[] {
    const latest = this.#options.latestRuns();
    return this.#options.repository.list().map(({ id, name, description, revision, nodeCount, createdAt, updatedAt }) => ({
      id,
      name,
      description,
      revision,
      nodeCount,
      createdAt,
      updatedAt,
      lastRun: latest.get(id) ?? null,
      ...this.#preview(id, revision),
    }));
  }

  /** Read once per revision: a list of flows must not parse every document each time it is asked for. */
  #preview(id: string, revision: number): { preview?: FlowPreview } {
    const known = this.#previews.get(id);
    if (known?.revision === revision) return known.drawn;
    let drawn: { preview?: FlowPreview } = {};
    try {
      drawn = { preview: previewOf(this.document(id), (type) => this.#options.catalogue.nodes.get(type)) };
    } catch {
      // a flow that cannot be read is listed without a drawing
    }
    this.#previews.set(id, { revision, drawn });
    return drawn;
  }

  get(id: string): FlowView {
    const row = this.row(id);
    const { revision, updatedAt } = row;
    try {
      return { id, document: this.#read(row), revision, updatedAt };
    } catch (thrown) {
      // a flow that cannot be read can still be looked at, downloaded and restored (BR-24)
      return { id, document: emptyFlow(id, row.name), revision, updatedAt, problem: toErrorRecord(thrown).message, raw: row.document };
    }
  }

  /** Throws `FLOW_NOT_FOUND`, or what keeps the document from being read. */
  document(id: string): FlowDocument {
    return this.#read(this.row(id));
  }

  row(id: string): FlowRow {
    const row = this.#options.repository.get(id);
    if (row === null) throw notFound(id);
    return row;
  }

  create(options: { name?: string; templateId?: string }): { id: string } {
    const id = newId('flow');
    const { templateId } = options;
    if (templateId === undefined) return this.#add(emptyFlow(id, this.#freeName(options.name ?? 'Untitled flow')), null);
    const template = this.#options.templates.document(templateId);
    if (template === null) throw userError('TEMPLATE_NOT_FOUND', `There is no template ${templateId}.`);
    return this.#add({ ...template, id, name: this.#freeName(options.name ?? template.name) }, templateId);
  }

  save(id: string, document: FlowDocument, baseRevision: number): { revision: number } {
    const { repository, now } = this.#options;
    if (document.id !== id)
      throw userError('FLOW_ID_MISMATCH', `The document says it is flow ${document.id}, not ${id}. Import it to make a flow of its own.`);
    // what is stored can always be read again: ids are unique, containers hold no cycle
    orThrow(readFlow(document));
    const result = repository.save(id, this.#content(document), { revision: baseRevision, at: now() });
    if (result.saved) {
      this.#options.changed(id, result.revision);
      return { revision: result.revision };
    }
    if (result.current === null) throw notFound(id);
    throw userError(
      'FLOW_CONFLICT',
      `The flow was saved elsewhere meanwhile (revision ${result.current.revision}; this edit began at ${baseRevision}). Reload it, or keep yours as a copy.`,
      // a document is JSON
      { current: { document: JSON.parse(result.current.document), revision: result.current.revision } },
    );
  }

  remove(id: string): void {
    if (!this.#options.repository.remove(id)) throw notFound(id);
    this.#options.removed(id);
  }

  duplicate(id: string): { id: string } {
    const row = this.row(id);
    const takenNames = new Set(this.#options.repository.names());
    return this.#add(importCopy(this.#read(row), { id: newId('flow'), takenNames }), row.templateId);
  }

  import(text: string, name?: string): { id: string; name: string; notices: string[] } {
    const parsed = parseFlow(text, this.#options.catalogue);
    if (!parsed.ok) throw parsed.error;
    const takenNames = new Set(this.#options.repository.names());
    const copy = importCopy(parsed.document, { id: newId('flow'), takenNames, ...(name === undefined ? {} : { name }) });
    this.#add(copy, null);
    return { id: copy.id, name: copy.name, notices: parsed.notices };
  }

  export(id: string): ExportedFile {
    const row = this.row(id);
    // what cannot be read is handed out as it is stored
    return { filename: fileName(row.name, 'bridle.json'), text: row.document };
  }

  versions(id: string): FlowVersionView[] {
    this.row(id);
    return this.#options.repository.versions(id).map(({ flowId: _flowId, ...version }) => version);
  }

  saveVersion(id: string, name: string): FlowVersionView {
    const { flowId: _flowId, ...version } = this.#options.repository.addVersion(this.row(id), name, this.#options.now());
    return version;
  }

  getVersion(id: string, version: number): { document: FlowDocument; name: string; createdAt: number } {
    const found = this.#version(id, version);
    return { document: orThrow(parseFlow(found.document)), name: found.name, createdAt: found.createdAt };
  }

  restoreVersion(id: string, version: number): { revision: number } {
    const document = this.getVersion(id, version).document;
    const revision = this.#options.repository.overwrite(id, this.#content({ ...document, id }), this.#options.now());
    if (revision === null) throw notFound(id);
    this.#options.changed(id, revision);
    return { revision };
  }

  /** The document of another flow, for subflow nodes; undefined when it is not there or cannot be read. */
  resolve(id: string, version?: number): FlowDocument | undefined {
    try {
      return version === undefined ? this.document(id) : this.getVersion(id, version).document;
    } catch {
      return undefined;
    }
  }

  /** Canonical text and its hash. */
  freeze(document: FlowDocument): { hash: string; text: string } {
    const text = canonicalText(document);
    return { hash: sha256(text), text };
  }

  #version(id: string, version: number) {
    this.row(id);
    const found = this.#options.repository.version(id, version);
    if (found === null) throw userError('VERSION_NOT_FOUND', `The flow has no version ${version}.`);
    return found;
  }

  #read(row: FlowRow): FlowDocument {
    return orThrow(parseFlow(row.document));
  }

  #content(document: FlowDocument): FlowContent {
    const { hash, text } = this.freeze(document);
    return { name: document.name, description: document.description, document: text, hash, nodeCount: document.nodes.length };
  }

  #add(document: FlowDocument, templateId: string | null): { id: string } {
    this.#options.repository.create(document.id, this.#content(document), { at: this.#options.now(), templateId });
    this.#options.changed(document.id, 1);
    return { id: document.id };
  }

  #freeName(wanted: string): string {
    return freeName(wanted, new Set(this.#options.repository.names()));
  }
}
