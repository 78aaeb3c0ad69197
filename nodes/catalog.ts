import type { Catalogue } from '@/harness/contract/catalogue';
import type { AnyManifest } from '@/harness/contract/node';
import { agent } from './agent/agent/node';
import { llmCall } from './agent/llm-call/node';
import { router } from './agent/router/node';
import { frame } from './canvas/frame/node';
import { note } from './canvas/note/node';
import { channels } from './channels';
import { branch } from './flow/branch/node';
import { fork } from './flow/fork/node';
import { input } from './flow/input/node';
import { join } from './flow/join/node';
import { map } from './flow/map/node';
import { output } from './flow/output/node';
import { subflow } from './flow/subflow/node';
import { wait } from './flow/wait/node';
import { humanGate } from './human/human-gate/node';
import { budget } from './policy/budget/node';
import { retry } from './policy/retry/node';
import { toolGuard } from './policy/tool-guard/node';
import { code } from './tools/code/node';
import { httpRequest } from './tools/http-request/node';
import { toolCall } from './tools/tool-call/node';
import { transform } from './tools/transform/node';

/** Every node type by id, in palette order. Browser-safe: manifests only. */
export const nodeTypes = {
  input,
  output,
  branch,
  fork,
  join,
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
  budget,
  retry,
  'tool-guard': toolGuard,
  note,
  frame,
} satisfies Record<string, AnyManifest>;

export type NodeTypeId = keyof typeof nodeTypes;

export const catalogue: Catalogue = { nodes: new Map<string, AnyManifest>(Object.entries(nodeTypes)), channels };
