import type { z } from 'zod';
import { type AnyManifest, errorPort, outputSchemaOf } from '../../contract/node';
import type { Reference } from '../../expression/references';
import { referenceText } from '../../expression/reserved';
import type { GraphNode } from '../../flow/flow-graph';
import { rewriteInFlow } from '../../flow/rewrite-in-flow';
import type { ConfigSource } from '../analysis/config-sources';
import { missingField } from '../analysis/schema-fields';
import { faultSeverity, nameOf, type Rule, type RuleContext } from '../context';
import type { Diagnostic, Fix } from '../diagnostic';

interface Finding {
  code: string;
  message: string;
  fix?: Fix;
  /** Less than an error whatever the node is. */
  mild?: boolean;
}

/** References to nodes, fields, channels and names that are not there. */
export const referenceUnknown: Rule = (context) =>
  context.sources.flatMap((source) =>
    source.references.flatMap((reference): Diagnostic[] => {
      const finding = check(context, source, reference);
      if (!finding) return [];
      const { code, message, fix, mild } = finding;
      return [
        {
          code,
          severity: mild || reference.guarded ? 'warning' : faultSeverity(context, source.entry),
          nodeId: source.entry.id,
          path: source.path,
          message: `${nameOf(source.entry)}: ${message}`,
          ...(fix ? { fix } : {}),
        },
      ];
    }),
  );

function check(context: RuleContext, { entry }: ConfigSource, reference: Reference): Finding | null {
  switch (reference.kind) {
    case 'node':
      return checkNode(context, entry, reference);
    case 'state':
      return checkChannel(context, reference);
    case 'item':
    case 'index':
      return entry.container !== null
        ? null
        : { code: 'REFERENCE_NO_ITEM', message: `"${reference.kind}" exists only inside of a container that goes over a list.` };
    case 'input':
      return checkInput(context, reference);
    default:
      return null;
  }
}

function checkNode(context: RuleContext, entry: GraphNode, reference: Reference): Finding | null {
  const target = context.graph.nodes.get(reference.root);
  if (!target) return unknownNode(context, reference);
  if (target.role === 'policy' || target.role === 'annotation') {
    return { code: 'REFERENCE_NO_OUTPUT', message: `${nameOf(target)} puts nothing out, so nothing can be read from it.` };
  }
  if (!isVisible(context, target, entry)) {
    const container = context.graph.nodes.get(target.container ?? '');
    return {
      code: 'REFERENCE_INSIDE_CONTAINER',
      message: `${nameOf(target)} stands inside of ${container ? nameOf(container) : 'a container'} and cannot be read from outside. Read the container's own output instead.`,
    };
  }
  return checkField(target, reference);
}

/** A body sees itself and the bodies around it. */
function isVisible({ graph }: RuleContext, target: GraphNode, from: GraphNode): boolean {
  for (let body: string | null = from.container; ; body = graph.nodes.get(body)?.container ?? null) {
    if (target.container === body) return true;
    if (body === null) return false;
  }
}

function unknownNode({ graph, options }: RuleContext, { root }: Reference): Finding {
  const wanted = root.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const same = [...graph.nodes.values()].filter(({ id, node }) =>
    [id, node.label].some((name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') === wanted),
  );
  const [only] = same;
  const message = `there is no node "${root}".`;
  if (!only || same.length > 1)
    return { code: 'REFERENCE_UNKNOWN', message: `${message} Pick one that is drawn, or rename the reference.` };
  return {
    code: 'REFERENCE_UNKNOWN',
    message: `${message} Did you mean ${referenceText(only.id)}?`,
    fix: {
      title: `Refer to ${referenceText(only.id)} instead`,
      apply: (document) => rewriteInFlow(document, options.catalogue, new Map([[root, only.id]])),
    },
  };
}

const schemas = new WeakMap<GraphNode, z.ZodType>();

/** What the node puts out, worked out once however often it is referred to; null when its config is not fit to say. */
function outputsOf(entry: GraphNode, manifest: AnyManifest): z.ZodType | null {
  const known = schemas.get(entry);
  if (known) return known;
  try {
    const schema = outputSchemaOf(manifest, entry.config);
    schemas.set(entry, schema);
    return schema;
  } catch {
    return null;
  }
}

function checkField(target: GraphNode, { path }: Reference): Finding | null {
  if (!target.manifest || path.length === 0) return null;
  if (path[0] === errorPort && target.ports?.some(({ id }) => id === errorPort)) return null;
  const schema = outputsOf(target, target.manifest);
  const lost = schema ? missingField(schema, path) : null;
  if (!lost) return null;
  const known = lost.known.length > 0 ? ` It has ${lost.known.map((name) => `"${name}"`).join(', ')}.` : '';
  return {
    code: 'REFERENCE_NO_FIELD',
    message: `${nameOf(target)} puts out no field "${[...path].slice(0, path.indexOf(lost.field) + 1).join('.')}".${known}`,
  };
}

function checkChannel({ options }: RuleContext, { root }: Reference): Finding | null {
  if (root === 'state' || options.catalogue.channels.has(root)) return null;
  const known = [...options.catalogue.channels.keys()].sort().join(', ');
  return { code: 'REFERENCE_NO_CHANNEL', message: `there is no channel "${root}". There are: ${known}.` };
}

/** What the flow is given may hold more than its schema names, so this is a warning. */
function checkInput({ graph, bodies }: RuleContext, { path }: Reference): Finding | null {
  const starts = (bodies.entries.get(null) ?? []).flatMap((id) => graph.nodes.get(id) ?? []);
  const [start] = starts;
  if (!start || starts.length > 1 || start.issues.length > 0) return null;
  const finding = checkField(start, { kind: 'input', root: 'input', path, start: 0, end: 0, form: 'name', guarded: false, bound: [] });
  return finding
    ? { ...finding, message: `the input has no field "${path.join('.')}" by its schema.`, code: 'REFERENCE_NO_INPUT_FIELD', mild: true }
    : null;
}
