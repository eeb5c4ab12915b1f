import type { ErrorRecord } from '../base/errors/busbar-error.ts';

export const starterFd = 3;

/** Startup stage, worded to follow "it"; one line each. */
export interface StartStage {
  readonly stage: string;
}

export type StartReport =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: ErrorRecord };
