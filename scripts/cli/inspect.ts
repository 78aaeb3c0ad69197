import { z } from 'zod';
import { compile } from '@/harness/compiler/compile';
import { portsOf } from '@/harness/contract/node';
import { parseFlow } from '@/harness/flow/parse-flow';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { sha256 } from '@/server/host/hash';
import { templates } from '@/server/templates/index';
import { readArguments, readOptions, readText, UsageError } from './arguments';
import type { Command } from './commands';
import { print, printJson } from './output';
import { withHost } from './with-host';

export const templatesCommand: Command = {
  arguments: '[--json]',
  summary: 'Lists the templates',
  async run(args) {
    const values = readOptions(args, { json: { type: 'boolean' } });
    if (values.json) printJson(templates.map(({ id, title, summary, sample, document }) => ({ id, title, summary, sample, document })));
    else for (const { id, title, summary } of templates) print(`${id.padEnd(24)} ${title}. ${summary}`);
    return 0;
  },
};

export const nodesCommand: Command = {
  arguments: '[--json]',
  summary: 'Lists the node types',
  async run(args) {
    const values = readOptions(args, { json: { type: 'boolean' } });
    const types = [...catalogue.nodes.values()].map((manifest) => {
      const config = manifest.config.safeParse({});
      return {
        id: manifest.id,
        version: manifest.version,
        title: manifest.title,
        summary: manifest.summary,
        category: manifest.category,
        layer: manifest.layer,
        authority: manifest.authority,
        role: manifest.role,
        /** Under the default config; null where a node has none. */
        ports: config.success ? portsOf(manifest, config.data).map((port) => port.id) : null,
        reads: manifest.reads ?? [],
        writes: manifest.writes ?? [],
        config: z.toJSONSchema(manifest.config, { io: 'input' }),
      };
    });
    if (values.json) printJson(types);
    else for (const type of types) print(`${type.id.padEnd(24)} ${type.category.padEnd(12)} ${type.summary}`);
    return 0;
  },
};

/** A flow that runs others is checked against the stored ones; any other needs no data folder. */
async function check(document: FlowDocument): Promise<Compiled> {
  if (!document.nodes.some((node) => node.type === 'subflow')) return compile(document, { catalogue, hash: sha256 });
  return withHost(async ({ services }) => {
    const stored = new Set(services.flows.list().map(({ id }) => id));
    const resolveFlow = (id: string, version?: number) => {
      if (!stored.has(id)) return undefined;
      return version === undefined ? services.flows.get(id).document : services.flows.getVersion(id, version).document;
    };
    return compile(document, { catalogue, hash: sha256, resolveFlow });
  });
}

type Compiled = ReturnType<typeof compile>;

export const validateCommand: Command = {
  arguments: 'FILE [--json]',
  summary: 'Checks a flow file; exit 0 when it could run',
  async run(args) {
    const { values, words } = readArguments(args, { json: { type: 'boolean' } });
    const [file] = words;
    if (file === undefined || words.length > 1) throw new UsageError('Name one flow file, or - for standard input.');
    const parsed = parseFlow(readText(file));
    if (!parsed.ok) throw parsed.error;
    const { plan, diagnostics } = await check(parsed.document);
    const shown = diagnostics.map(({ fix, ...rest }) => ({ ...rest, ...(fix ? { fix: fix.title } : {}) }));
    if (values.json) printJson({ ok: plan !== null, planHash: plan?.hash ?? null, diagnostics: shown });
    else {
      for (const entry of shown) {
        const place = entry.nodeId ?? entry.edgeId;
        print(`${entry.severity} ${entry.code}${place === undefined ? '' : ` at ${place}`}: ${entry.message}`);
      }
      print(plan === null ? 'The flow cannot run.' : `The flow can run (plan ${plan.hash.slice(0, 12)}).`);
    }
    return plan === null ? 1 : 0;
  },
};
