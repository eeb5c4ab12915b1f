/** Words of columns, in the order of the numbers that stand for them. */
export const endpointKinds = ['can', 'modbus'] as const;
export const taskKinds = endpointKinds;
/** A task that sends what processors stage has no policy. */
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
