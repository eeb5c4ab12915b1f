import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/** Descriptor of the pipe between a daemon and the process that started it. */
export const starterFd = 3;

/** The one line that a daemon writes there. */
export type StartReport =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: ErrorRecord };
