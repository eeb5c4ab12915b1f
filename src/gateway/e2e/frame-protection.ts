import type { CheckResult } from './check-result.ts';

/** Protects the frames of one sender: built-in profiles and free layouts do, and so do plugins. */
export interface FrameProtector {
  /** Protects the data for the next frame; false if that was not possible, and the frame is worth nothing. */
  protect(bytes: Uint8Array, at: number): boolean;
  /** The frame built last was taken. */
  commit(): void;
  /** The frame built last was not taken: the next one is protected as it was. */
  discard(): void;
  /** Puts what is there before anything is protected where the protection would be. */
  bypass(bytes: Uint8Array, at: number): void;
}

/** A protector whose fields are known, so that faults can be put into them. */
export interface FieldProtector extends FrameProtector {
  freezeCounter(bytes: Uint8Array, at: number, value?: number | bigint): void;
  jumpCounter(bytes: Uint8Array, at: number, by: number | bigint): void;
  corruptChecksum(bytes: Uint8Array, at: number, mask: number | bigint): void;
}

/** Checks the frames of one sender. */
export interface FrameChecker {
  /** Whether what was received last can be trusted. */
  readonly isValid: boolean;
  /** Checks a frame that came; its bytes stay as they are. */
  check(bytes: Uint8Array, at: number): CheckResult;
  /** Begins anew: whatever comes first is the first frame. */
  reset(): void;
}
