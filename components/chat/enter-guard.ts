/** What a key event tells about an input method. */
export interface EnterKey {
  key: string;
  shiftKey: boolean;
  isComposing: boolean;
  /** 229 while an input method handles the key (Safari sets it on the keydown that follows `compositionend`). */
  keyCode: number;
  timeStamp: number;
}

export interface EnterGuard {
  compositionEnd(timeStamp: number): void;
  keyUp(): void;
  /** Whether this keydown sends the message. */
  sends(event: EnterKey): boolean;
}

/** The keydown that ended a composition can come this much later, in milliseconds. */
const settleTime = 500;

/**
 * Tells the Enter that confirms a composed word from the Enter that sends (BR-64). Chrome and Firefox: keydown while composing, then
 * `compositionend`. Safari: `compositionend` first, then the keydown of the same stroke, which no longer says that it composes.
 */
export function createEnterGuard(): EnterGuard {
  let keyWasComposing = false;
  let endedAt: number | null = null;
  return {
    compositionEnd(timeStamp) {
      endedAt = keyWasComposing ? null : timeStamp;
      keyWasComposing = false;
    },
    keyUp() {
      endedAt = null;
    },
    sends(event) {
      if (event.isComposing || event.keyCode === 229) {
        keyWasComposing = event.isComposing;
        endedAt = null;
        return false;
      }
      keyWasComposing = false;
      const confirms = endedAt !== null && event.timeStamp - endedAt < settleTime;
      endedAt = null;
      return event.key === 'Enter' && !event.shiftKey && !confirms;
    },
  };
}
