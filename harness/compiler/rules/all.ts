import type { Rule } from '../context';
import { actGated } from './act-gated';
import { branchesMerged } from './branches-merged';
import { brokenEdge } from './broken-edge';
import { containerEntry } from './container-entry';
import { duplicateEdge } from './duplicate-edge';
import { evidenceBeforeWorldModel } from './evidence-before-world-model';
import { expressionSyntax } from './expression-syntax';
import { forkUnjoined } from './fork-unjoined';
import { identity } from './identity';
import { invalidConfig } from './invalid-config';
import { joinSatisfiable } from './join-satisfiable';
import { loopCap } from './loop-cap';
import { missingLayer } from './missing-layer';
import { modelRole } from './model-role';
import { noInput } from './no-input';
import { noOutput } from './no-output';
import { parents } from './parents';
import { planApproved } from './plan-approved';
import { planSources } from './plan-sources';
import { referenceOrder } from './reference-order';
import { referenceUnknown } from './reference-unknown';
import { secretGrant } from './secret-grant';
import { secretLiteral } from './secret-literal';
import { soleWriter } from './sole-writer';
import { subflow } from './subflow';
import { toolGrant } from './tool-grant';
import { typeVersion } from './type-version';
import { unknownType } from './unknown-type';
import { unreachable } from './unreachable';
import { writersGuarded } from './writers-guarded';

/** Every rule. Their order does not matter: diagnostics are sorted afterwards. */
export const rules: readonly Rule[] = [
  actGated,
  branchesMerged,
  brokenEdge,
  containerEntry,
  duplicateEdge,
  evidenceBeforeWorldModel,
  expressionSyntax,
  forkUnjoined,
  identity,
  invalidConfig,
  joinSatisfiable,
  loopCap,
  missingLayer,
  modelRole,
  noInput,
  noOutput,
  parents,
  planApproved,
  planSources,
  referenceOrder,
  referenceUnknown,
  secretGrant,
  secretLiteral,
  soleWriter,
  subflow,
  toolGrant,
  typeVersion,
  unknownType,
  unreachable,
  writersGuarded,
];
