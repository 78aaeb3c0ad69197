import type { FinishReason, ModelCallOptions, ModelRequest, ToolCall } from '@/harness/contract/model';

export interface BackendUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cost: number | null;
}

/** One raw answer: text as the model wrote it; what is structured in it is read by `structured.ts`. */
export interface BackendReply {
  text: string;
  toolCalls: ToolCall[];
  finish: FinishReason;
  usage: BackendUsage;
}

/** One model that can be called once. A cut stream, a refusal or garbage is a thrown `MODEL_*` error, never a short reply. */
export interface ModelBackend {
  readonly provider: string;
  readonly model: string;
  readonly rehearsal: boolean;
  call(request: ModelRequest, options: ModelCallOptions): Promise<BackendReply>;
}
