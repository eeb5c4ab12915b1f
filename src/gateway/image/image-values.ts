import type { LinearFormat } from '../codecs/encode-linear.ts';

/** Words of columns, in the order of their numbers. */
export const endpointRoles = ['can', 'client', 'server'] as const;
export type EndpointRole = (typeof endpointRoles)[number];
export const taskKinds = ['can', 'modbus'] as const;
export const specialStates = ['invalid', 'not_available', 'error'] as const;
/** A task for frames of processors has no policy. */
export const policies = [null, 'periodic', 'on_change'] as const;
export const modes = ['value', 'request'] as const;

/** Bindings of a signal in one answer; the rest is counted. */
export const maxShownBindings = 256;

/** Messages that an answer names because their check fails; the rest is counted. */
export const maxFailedChecks = 32;

/** What fault rules did to a frame. */
export const faultEffects = [
  'injected',
  'unprotected',
  'dropped',
  'repeated',
  'suppressed',
  'conflict',
] as const;
export type FaultEffect = (typeof faultEffects)[number];

/** The raw of a native codec, as long as its plugin is not there to tell more. */
export const nativeFormat: LinearFormat = {
  raw: 'unsigned',
  bitLength: 64,
  factor: 1,
  offset: 0,
  specials: [],
};

/** A processor in the place of a transformation, as JSON. */
export interface ProcessorStep {
  readonly kind: 'processor';
  readonly plugin: string;
  /** Null if its inputs make it run. */
  readonly periodUs: number | null;
  /** Rows of tasks. */
  readonly sendTasks: readonly number[];
}
