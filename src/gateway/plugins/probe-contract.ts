import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';

/** What a probe reads from its standard input, as JSON. */
export interface ProbeOrder {
  readonly plugins: readonly (UsedPlugin & {
    /** Path of the library. */
    readonly path: string;
  })[];
  /** Process that the probe must not outlive. */
  readonly parent: number;
  /** Seconds after which a probe ends itself that does not get to its next step. */
  readonly stepSeconds: number;
}

/** What a probe reports, a line of JSON each: the step that it begins, and how it ended. */
export type ProbeReport =
  | { readonly step: number }
  | { readonly error: ErrorRecord }
  | { readonly done: true };

export interface ProbeStep {
  readonly plugin: string;
  readonly action: string;
}

/** The steps of a probe in their order; reports name them by their index. */
export const probeSteps = (usedPlugins: readonly UsedPlugin[]): ProbeStep[] =>
  usedPlugins.flatMap(({ id: plugin, library, entry, uses }) => [
    { plugin, action: `loading ${library}` },
    { plugin, action: `asking ${entry}` },
    ...uses.flatMap(() =>
      ['creating', 'resetting', 'destroying'].map((verb) => ({
        plugin,
        action: `${verb} an instance`,
      })),
    ),
  ]);

/** How long a plugin may take to be loaded, or to return from `create`, `reset` or `destroy`. */
export const standardStepMs = 5000;

/** Descriptors of a probe: for its reports, and for the first of its libraries. */
export const reportFd = 3;
export const firstLibraryFd = 4;
