import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/** File descriptor of the pipe to the starter. */
export const starterFd = 3;

/** Startup stage, worded to follow "it"; one line each. */
export interface StartStage {
  readonly stage: string;
}

/** The last line on the pipe. */
export type StartReport =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: ErrorRecord };
