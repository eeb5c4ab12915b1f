import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';

export interface ProbeOrder {
  readonly plugins: readonly (UsedPlugin & { readonly path: string })[];
  readonly parent: number;
  readonly stepSeconds: number;
}

/** Reports of a probe, one line of JSON each: the step it starts, and its result. */
export type ProbeReport =
  | { readonly step: number }
  | { readonly error: ErrorRecord }
  | { readonly done: true };

export interface ProbeStep {
  readonly plugin: string;
  readonly action: string;
}

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

/** Time limit for loading a plugin and for `create`, `reset` and `destroy`. */
export const standardStepMs = 5000;

export const reportFd = 3;
export const firstLibraryFd = 4;
