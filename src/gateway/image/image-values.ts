import type { LinearFormat } from '../codecs/encode-linear.ts';

export const endpointRoles = ['can', 'client', 'server'] as const;
export const taskKinds = ['can', 'modbus'] as const;
export const specialStates = ['invalid', 'not_available', 'error'] as const;
/** Tasks of processors have no policy. */
export const policies = [null, 'periodic', 'on_change'] as const;
export const modes = ['value', 'request'] as const;

/** Maximum bindings of a signal in one response. Further ones are only counted. */
export const maxShownBindings = 256;

/** Maximum messages with failed checks in one response. Further ones are only counted. */
export const maxFailedChecks = 32;

export const faultEffects = [
  'injected',
  'unprotected',
  'dropped',
  'repeated',
  'suppressed',
  'conflict',
] as const;
export type FaultEffect = (typeof faultEffects)[number];

/** Raw format of a native codec whose plugin is not loaded. */
export const nativeFormat: LinearFormat = {
  raw: 'unsigned',
  bitLength: 64,
  factor: 1,
  offset: 0,
  specials: [],
};

/** A processor as JSON, stored in place of a transformation. */
export interface ProcessorStep {
  readonly kind: 'processor';
  readonly plugin: string;
  readonly periodUs: number | null;
  readonly sendTasks: readonly number[];
}
