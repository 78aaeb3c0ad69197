import { type Compiled, compile } from '@/harness/compiler/compile';
import type { Plan } from '@/harness/compiler/plan';
import type { Catalogue } from '@/harness/contract/catalogue';
import { userError } from '@/harness/contract/errors';
import type { FlowDocument } from '@/harness/flow/schema';
import { sha256 } from '../host/hash';

export interface CompileWorld {
  catalogue: Catalogue;
  resolveFlow: (id: string, version?: number) => FlowDocument | undefined;
  providers: () => readonly string[];
}

/** How many problems a refusal tells of. */
const shownProblems = 5;

export function compileFlow(document: FlowDocument, world: CompileWorld): Compiled {
  return compile(document, {
    catalogue: world.catalogue,
    resolveFlow: world.resolveFlow,
    hash: sha256,
    models: { providers: world.providers() },
  });
}

/** The plan of a document. Throws `FLOW_NOT_RUNNABLE` that names the first problems and carries all of them. */
export function planOf(document: FlowDocument, world: CompileWorld): Plan {
  const { plan, diagnostics } = compileFlow(document, world);
  if (plan !== null) return plan;
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  const first = errors.slice(0, shownProblems).map((diagnostic) => diagnostic.message);
  const more = errors.length > shownProblems ? ` (and ${errors.length - shownProblems} more)` : '';
  throw userError('FLOW_NOT_RUNNABLE', `The flow cannot run yet. ${first.join(' ')}${more}`, {
    diagnostics: errors.map(({ code, severity, message, nodeId, edgeId, path }) => ({
      code,
      severity,
      message,
      nodeId: nodeId ?? null,
      edgeId: edgeId ?? null,
      path: path ?? null,
    })),
  });
}
