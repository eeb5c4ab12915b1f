import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { PluginPlan } from '../plan/plugin-plan.ts';

/** What a probe is told on its standard input, as JSON. */
export interface ProbeOrder {
  readonly plugins: readonly (PluginPlan & {
    /** The library, as a descriptor of the probe. */
    readonly fd: number;
  })[];
}

/** What a probe says, a line of JSON each: what it is about to do, and how it ended. */
export type ProbeReport =
  | { readonly plugin: string; readonly step: string }
  | { readonly error: ErrorRecord }
  | { readonly done: true };

/** Descriptors of a probe: what it says, and the first of its libraries. */
export const reportFd = 3;
export const firstLibraryFd = 4;
