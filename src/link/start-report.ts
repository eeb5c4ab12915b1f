import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/** Descriptor of the starter pipe. */
export const starterFd = 3;

/** Stage of a start, in words after "it"; one line each. */
export interface StartStage {
  readonly stage: string;
}

/** The last line on the pipe. */
export type StartReport =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: ErrorRecord };
