import { isBridleError, toErrorRecord } from '../contract/errors';
import { isShaped } from '../flow/is-shaped';
import { type FlowDocument, flowDocumentSchema } from '../flow/schema';
import { buildPlan } from './build-plan';
import { type CompileOptions, type RuleContext, ruleContext, subflowCall } from './context';
import { type Diagnostic, sortDiagnostics } from './diagnostic';
import type { Plan } from './plan';
import { rules } from './rules/all';

export type { CompileOptions } from './context';

export interface Compiled {
  /** Null when a diagnostic is an error. */
  plan: Plan | null;
  diagnostics: Diagnostic[];
}

/**
 * Turns a document into a plan, or says what keeps it from being one. Never throws, whatever the document holds; same document and
 * catalogue give the same plan and diagnostics, whatever the drawing order (design §6).
 */
export function compile(document: FlowDocument, options: CompileOptions): Compiled {
  return compileWithin(document, options, []);
}

function compileWithin(document: FlowDocument, options: CompileOptions, around: readonly string[]): Compiled {
  try {
    const shaped = isShaped(document) ? { success: true as const, data: document } : flowDocumentSchema.safeParse(document);
    if (!shaped.success) return { plan: null, diagnostics: shaped.error.issues.slice(0, 20).map(shapeDiagnostic) };
    const context = ruleContext(shaped.data, options, [...around, shaped.data.id]);
    const diagnostics = rules.flatMap((rule) => rule(context));
    const subplans = new Map<string, Plan>();
    for (const { node, compiled } of compileSubflows(context)) {
      if (compiled.plan) subplans.set(node, compiled.plan);
      diagnostics.push(...subflowDiagnostics(node, compiled));
    }
    const blocked = diagnostics.some(({ severity }) => severity === 'error');
    return { plan: blocked ? null : buildPlan(context, subplans), diagnostics: sortDiagnostics(diagnostics) };
  } catch (thrown) {
    return { plan: null, diagnostics: [faultDiagnostic(thrown)] };
  }
}

function compileSubflows(context: RuleContext): { node: string; compiled: Compiled }[] {
  const known = new Map<FlowDocument, Compiled>();
  return [...context.graph.nodes.values()].flatMap((entry) => {
    const call = subflowCall(entry);
    const inner = call && !context.path.includes(call.flow) ? context.options.resolveFlow?.(call.flow, call.version) : undefined;
    if (!inner) return [];
    const compiled = known.get(inner) ?? compileWithin(inner, context.options, context.path);
    known.set(inner, compiled);
    return [{ node: entry.id, compiled }];
  });
}

/** Faults inside of another flow are told at the node that calls it; its warnings are that flow's own affair. */
function subflowDiagnostics(nodeId: string, { plan, diagnostics }: Compiled): Diagnostic[] {
  if (plan) return [];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0]?.message ?? 'it cannot be compiled';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return [{ code: 'SUBFLOW_BROKEN', severity: 'error', nodeId, message: `The flow it runs has a problem: ${first}${more}` }];
}

const shapeDiagnostic = (issue: { path: readonly PropertyKey[]; message: string }): Diagnostic => ({
  code: 'DOCUMENT_INVALID',
  severity: 'error',
  path: issue.path.map(String).join('.'),
  message: `The flow document is not valid at "${issue.path.map(String).join('.') || 'the top'}": ${issue.message}`,
});

function faultDiagnostic(thrown: unknown): Diagnostic {
  const { code, message } = toErrorRecord(thrown);
  return {
    code: isBridleError(thrown) ? code : 'COMPILER_FAULT',
    severity: 'error',
    message: `The compiler failed on this flow, which is a fault of Bridle: ${message}`,
  };
}
