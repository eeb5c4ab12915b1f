import type { ErrorRecord } from '../base/errors/busbar-error.ts';

/** Descriptor of the pipe between a daemon and the process that started it. */
export const starterFd = 3;

/** What a daemon that starts is at, in words that go on from "it". It writes a line for each. */
export interface StartStage {
  readonly stage: string;
}

/** The last line that a daemon writes there. */
export type StartReport =
  | { readonly ready: { readonly pid: number } }
  | { readonly error: ErrorRecord };
