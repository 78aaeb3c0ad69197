import type { AskAnswer, AskInput } from '../contract/ask';
import type { ErrorRecord } from '../contract/errors';
import type { BodyOptions, Dispatch } from '../contract/execute';
import type { Json } from '../contract/json';
import type { RunOptions, TraceDraft } from '../trace/events';

/** What can happen to a run from outside. `at` is milliseconds since the epoch by the run's clock. */
export type EngineInput = { at: number } & (
  | { kind: 'start'; start: RunStart }
  | { kind: 'resume'; reason: string }
  | {
      kind: 'visit-done';
      visit: string;
      notes: TraceDraft[];
      ports: string[] | null;
      output: Json;
      writes: Record<string, Json>;
      dispatch?: Dispatch[];
      handBack?: string[];
    }
  | { kind: 'visit-failed'; visit: string; notes: TraceDraft[]; error: ErrorRecord }
  | { kind: 'visit-retry'; visit: string; notes: TraceDraft[]; error: ErrorRecord; delayMs: number }
  /** Events from inside a visit: effects begun and ended, decisions, verdicts, log lines. */
  | { kind: 'visit-events'; visit: string; notes: TraceDraft[] }
  | { kind: 'ask'; visit: string; key: string; notes: TraceDraft[]; ask: AskInput; hash: string }
  | { kind: 'sleep'; visit: string; key: string; notes: TraceDraft[]; until: number }
  | { kind: 'scopes'; visit: string; key: string; notes: TraceDraft[]; items: Json[]; options: BodyOptions }
  | { kind: 'wake'; visit: string; key: string }
  | { kind: 'retry-due'; visit: string }
  | { kind: 'answer'; askId: string; answer: AskAnswer }
  | { kind: 'refuse-answer'; askId: string; reason: string; by: string }
  | { kind: 'cancel'; by: string }
  | { kind: 'wall-time' }
  | { kind: 'interrupt'; error: ErrorRecord }
);

export interface RunStart {
  input: Json;
  options: RunOptions;
  sessionId: string | null;
  workspace: string | null;
  /** Values of session and flow channels to begin with. */
  channels: Record<string, Json>;
}

/** What the driver has to do after a step; every one is about something the events already say. */
export type EngineEffect =
  | { kind: 'execute'; visit: string }
  | { kind: 'abort'; visit: string }
  | { kind: 'wake'; visit: string; key: string; at: number }
  | { kind: 'retry'; visit: string; at: number }
  | { kind: 'expire'; askId: string; at: number }
  /** A suspended call inside a visit has its answer in the visit's memo. */
  | { kind: 'release'; visit: string; key: string }
  | { kind: 'end' };
