import type { Catalogue } from '@/harness/contract/catalogue';
import type { AnyManifest } from '@/harness/contract/node';
import { agent } from './agent/agent/node';
import { llmCall } from './agent/llm-call/node';
import { router } from './agent/router/node';
import { frame } from './canvas/frame/node';
import { note } from './canvas/note/node';
import { channels } from './channels';
import { act } from './control/act/node';
import { actionGate } from './control/action-gate/node';
import { adaptiveControl } from './control/adaptive-control/node';
import { callerUpdates } from './control/caller-updates/node';
import { contextCompression } from './control/context-compression/node';
import { contradiction } from './control/contradiction/node';
import { controlState } from './control/control-state/node';
import { diagnostics } from './control/diagnostics/node';
import { evidence } from './control/evidence/node';
import { hypothesis } from './control/hypothesis/node';
import { initializeRun } from './control/initialize-run/node';
import { mergeBranches } from './control/merge-branches/node';
import { outputValidation } from './control/output-validation/node';
import { planning } from './control/planning/node';
import { recovery } from './control/recovery/node';
import { recoveryAction } from './control/recovery-action/node';
import { reviewGate } from './control/review-gate/node';
import { reviewerPass } from './control/reviewer-pass/node';
import { taskUpdate } from './control/task-update/node';
import { valueOfInformation } from './control/value-of-information/node';
import { verification } from './control/verification/node';
import { worldModel } from './control/world-model/node';
import { branch } from './flow/branch/node';
import { fork } from './flow/fork/node';
import { input } from './flow/input/node';
import { join } from './flow/join/node';
import { map } from './flow/map/node';
import { output } from './flow/output/node';
import { subflow } from './flow/subflow/node';
import { wait } from './flow/wait/node';
import { humanGate } from './human/human-gate/node';
import { assemblePlanNode } from './planning/assemble-plan/node';
import { clarify } from './planning/clarify/node';
import { completionHooksNode } from './planning/completion-hooks/node';
import { controlLoop } from './planning/control-loop/node';
import { design } from './planning/design/node';
import { executePlanNode } from './planning/execute-plan/node';
import { explore } from './planning/explore/node';
import { fixLoopNode } from './planning/fix-loop/node';
import { groundedChat } from './planning/grounded-chat/node';
import { memoryReadNode } from './planning/memory-read/node';
import { memoryWriteNode } from './planning/memory-write/node';
import { modeRouter } from './planning/mode-router/node';
import { planApprovalNode } from './planning/plan-approval/node';
import { postValidationNode } from './planning/post-validation/node';
import { regressionGuard } from './planning/regression-guard/node';
import { revisePlanNode } from './planning/revise-plan/node';
import { scopeSynthesis } from './planning/scope-synthesis/node';
import { stepExecutorNode } from './planning/step-executor/node';
import { tddControllerNode } from './planning/tdd-controller/node';
import { toolGuardChain } from './planning/tool-guard-chain/node';
import { verificationStepsNode } from './planning/verification-steps/node';
import { workspaceInit } from './planning/workspace-init/node';
import { budget } from './policy/budget/node';
import { retry } from './policy/retry/node';
import { toolGuard } from './policy/tool-guard/node';
import { code } from './tools/code/node';
import { httpRequest } from './tools/http-request/node';
import { toolCall } from './tools/tool-call/node';
import { transform } from './tools/transform/node';

/** Types that run an executor, by id. `nodes/executors.ts` must have a twin for each. */
export const executingTypes = {
  input,
  output,
  branch,
  fork,
  map,
  subflow,
  wait,
  'llm-call': llmCall,
  agent,
  router,
  'tool-call': toolCall,
  transform,
  code,
  'http-request': httpRequest,
  'human-gate': humanGate,
  'adaptive-control': adaptiveControl,
  'initialize-run': initializeRun,
  'context-compression': contextCompression,
  'caller-updates': callerUpdates,
  'recovery-action': recoveryAction,
  contradiction,
  hypothesis,
  diagnostics,
  'control-state': controlState,
  planning,
  'value-of-information': valueOfInformation,
  'review-gate': reviewGate,
  'action-gate': actionGate,
  act,
  evidence,
  'world-model': worldModel,
  verification,
  'task-update': taskUpdate,
  'merge-branches': mergeBranches,
  recovery,
  'reviewer-pass': reviewerPass,
  'output-validation': outputValidation,
  'mode-router': modeRouter,
  'grounded-chat': groundedChat,
  'workspace-init': workspaceInit,
  clarify,
  'scope-synthesis': scopeSynthesis,
  explore,
  design,
  'assemble-plan': assemblePlanNode,
  'revise-plan': revisePlanNode,
  'verification-steps': verificationStepsNode,
  'plan-approval': planApprovalNode,
  'execute-plan': executePlanNode,
  'step-executor': stepExecutorNode,
  'post-validation': postValidationNode,
  'fix-loop': fixLoopNode,
  'tdd-controller': tddControllerNode,
  'completion-hooks': completionHooksNode,
  'memory-read': memoryReadNode,
  'memory-write': memoryWriteNode,
} satisfies Record<string, AnyManifest>;

/** Types that are pinned to others, by id. `nodes/executors.ts` must have hooks for each. */
export const policyTypes = {
  budget,
  retry,
  'tool-guard': toolGuard,
  'tool-guard-chain': toolGuardChain,
  'regression-guard': regressionGuard,
  'control-loop': controlLoop,
} satisfies Record<string, AnyManifest>;

/** Types that the engine, or only the canvas, handles by itself. */
const plainTypes = { join, note, frame } satisfies Record<string, AnyManifest>;

/** Every node type by id. Browser-safe: manifests only. */
export const nodeTypes = { ...executingTypes, ...policyTypes, ...plainTypes } satisfies Record<string, AnyManifest>;

export const catalogue: Catalogue = { nodes: new Map<string, AnyManifest>(Object.entries(nodeTypes)), channels };
