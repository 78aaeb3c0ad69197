import 'server-only';
import type { Runtime } from '@/harness/contract/catalogue';
import type { Execute, NodeImplementation } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { PolicyHooks, PolicyImplementation } from '@/harness/contract/policy';
import { executeAgent } from './agent/agent/execute';
import { executeLlmCall } from './agent/llm-call/execute';
import { executeRouter } from './agent/router/execute';
import { catalogue, type executingTypes, type policyTypes } from './catalog';
import { executeAct } from './control/act/execute';
import { executeActionGate } from './control/action-gate/execute';
import { executeAdaptiveControl } from './control/adaptive-control/execute';
import { executeCallerUpdates } from './control/caller-updates/execute';
import { executeContextCompression } from './control/context-compression/execute';
import { executeContradiction } from './control/contradiction/execute';
import { executeControlState } from './control/control-state/execute';
import { executeDiagnostics } from './control/diagnostics/execute';
import { executeEvidence } from './control/evidence/execute';
import { executeHypothesis } from './control/hypothesis/execute';
import { executeInitializeRun } from './control/initialize-run/execute';
import { executeMergeBranches } from './control/merge-branches/execute';
import { executeOutputValidation } from './control/output-validation/execute';
import { executePlanning } from './control/planning/execute';
import { executeRecovery } from './control/recovery/execute';
import { executeRecoveryAction } from './control/recovery-action/execute';
import { executeReviewGate } from './control/review-gate/execute';
import { executeReviewerPass } from './control/reviewer-pass/execute';
import { executeTaskUpdate } from './control/task-update/execute';
import { executeValueOfInformation } from './control/value-of-information/execute';
import { executeVerification } from './control/verification/execute';
import { executeWorldModel } from './control/world-model/execute';
import { executeBranch } from './flow/branch/execute';
import { executeFork } from './flow/fork/execute';
import { executeInput } from './flow/input/execute';
import { executeMap } from './flow/map/execute';
import { executeOutput } from './flow/output/execute';
import { executeSubflow } from './flow/subflow/execute';
import { executeWait } from './flow/wait/execute';
import { executeHumanGate } from './human/human-gate/execute';
import { executeAssemblePlan } from './planning/assemble-plan/execute';
import { executeClarify } from './planning/clarify/execute';
import { executeCompletionHooks } from './planning/completion-hooks/execute';
import { controlLoopPolicy } from './planning/control-loop/policy';
import { executeDesign } from './planning/design/execute';
import { executeExecutePlan } from './planning/execute-plan/execute';
import { executeExplore } from './planning/explore/execute';
import { executeFixLoop } from './planning/fix-loop/execute';
import { executeGroundedChat } from './planning/grounded-chat/execute';
import { executeMemoryRead } from './planning/memory-read/execute';
import { executeMemoryWrite } from './planning/memory-write/execute';
import { executeModeRouter } from './planning/mode-router/execute';
import { executePlanApproval } from './planning/plan-approval/execute';
import { executePostValidation } from './planning/post-validation/execute';
import { regressionGuardPolicy } from './planning/regression-guard/policy';
import { executeRevisePlan } from './planning/revise-plan/execute';
import { executeScopeSynthesis } from './planning/scope-synthesis/execute';
import { executeStepExecutor } from './planning/step-executor/execute';
import { executeTddController } from './planning/tdd-controller/execute';
import { toolGuardChainPolicy } from './planning/tool-guard-chain/policy';
import { executeVerificationSteps } from './planning/verification-steps/execute';
import { executeWorkspaceInit } from './planning/workspace-init/execute';
import { budgetPolicy } from './policy/budget/policy';
import { retryPolicy } from './policy/retry/policy';
import { toolGuardPolicy } from './policy/tool-guard/policy';
import { executeCode } from './tools/code/execute';
import { executeHttpRequest } from './tools/http-request/execute';
import { executeToolCall } from './tools/tool-call/execute';
import { executeTransform } from './tools/transform/execute';

type Executing = typeof executingTypes;
type Policies = typeof policyTypes;

/** Exactly one twin per type: a missing, surplus or mismatched one does not compile. */
export type Executors = { [Id in keyof Executing]: { manifest: Executing[Id]; execute: Execute<ConfigOf<Executing[Id]>> } };
export type PolicyTwins = { [Id in keyof Policies]: { manifest: Policies[Id]; hooks: PolicyHooks<ConfigOf<Policies[Id]>> } };

const executors: Executors = {
  input: executeInput,
  output: executeOutput,
  branch: executeBranch,
  fork: executeFork,
  map: executeMap,
  subflow: executeSubflow,
  wait: executeWait,
  'llm-call': executeLlmCall,
  agent: executeAgent,
  router: executeRouter,
  'tool-call': executeToolCall,
  transform: executeTransform,
  code: executeCode,
  'http-request': executeHttpRequest,
  'human-gate': executeHumanGate,
  'adaptive-control': executeAdaptiveControl,
  'initialize-run': executeInitializeRun,
  'context-compression': executeContextCompression,
  'caller-updates': executeCallerUpdates,
  'recovery-action': executeRecoveryAction,
  contradiction: executeContradiction,
  hypothesis: executeHypothesis,
  diagnostics: executeDiagnostics,
  'control-state': executeControlState,
  planning: executePlanning,
  'value-of-information': executeValueOfInformation,
  'review-gate': executeReviewGate,
  'action-gate': executeActionGate,
  act: executeAct,
  evidence: executeEvidence,
  'world-model': executeWorldModel,
  verification: executeVerification,
  'task-update': executeTaskUpdate,
  'merge-branches': executeMergeBranches,
  recovery: executeRecovery,
  'reviewer-pass': executeReviewerPass,
  'output-validation': executeOutputValidation,
  'mode-router': executeModeRouter,
  'grounded-chat': executeGroundedChat,
  'workspace-init': executeWorkspaceInit,
  clarify: executeClarify,
  'scope-synthesis': executeScopeSynthesis,
  explore: executeExplore,
  design: executeDesign,
  'assemble-plan': executeAssemblePlan,
  'revise-plan': executeRevisePlan,
  'verification-steps': executeVerificationSteps,
  'plan-approval': executePlanApproval,
  'execute-plan': executeExecutePlan,
  'step-executor': executeStepExecutor,
  'post-validation': executePostValidation,
  'fix-loop': executeFixLoop,
  'tdd-controller': executeTddController,
  'completion-hooks': executeCompletionHooks,
  'memory-read': executeMemoryRead,
  'memory-write': executeMemoryWrite,
};

const policies: PolicyTwins = {
  budget: budgetPolicy,
  retry: retryPolicy,
  'tool-guard': toolGuardPolicy,
  'tool-guard-chain': toolGuardChainPolicy,
  'regression-guard': regressionGuardPolicy,
  'control-loop': controlLoopPolicy,
};

/** What runs: the catalogue with its executors and policy hooks. Server only. */
export const runtime: Runtime = {
  catalogue,
  executors: new Map<string, NodeImplementation>(Object.entries(executors)),
  policies: new Map<string, PolicyImplementation>(Object.entries(policies)),
};
