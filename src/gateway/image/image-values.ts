import type { LinearFormat } from '../codecs/encode-linear.ts';

export const endpointRoles = ['can', 'client', 'server'] as const;
export type EndpointRole = (typeof endpointRoles)[number];
export const taskKinds = ['can', 'modbus'] as const;
export const specialStates = ['invalid', 'not_available', 'error'] as const;
/** Tasks of processors have no policy. */
export const policies = [null, 'periodic', 'on_change'] as const;
export const modes = ['value', 'request'] as const;

/** Bindings of a signal in one answer; the rest is counted. */
export const maxShownBindings = 256;

/** Messages with failed checks in one answer; the rest is counted. */
export const maxFailedChecks = 32;

/** Effects of fault rules. */
export const faultEffects = [
  'injected',
  'unprotected',
  'dropped',
  'repeated',
  'suppressed',
  'conflict',
] as const;
export type FaultEffect = (typeof faultEffects)[number];

/** Raw format of a native codec without its plugin. */
export const nativeFormat: LinearFormat = {
  raw: 'unsigned',
  bitLength: 64,
  factor: 1,
  offset: 0,
  specials: [],
};

/** A processor as JSON, in place of a transformation. */
export interface ProcessorStep {
  readonly kind: 'processor';
  readonly plugin: string;
  /** Null if it runs on its inputs. */
  readonly periodUs: number | null;
  /** Task rows. */
  readonly sendTasks: readonly number[];
}
