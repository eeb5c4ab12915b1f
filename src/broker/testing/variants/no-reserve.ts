/** Releases slots only after they have been overwritten. */
import * as steps from '../../writer-steps.ts';

export * from '../../writer-steps.ts';

export const reserveSlots = (): void => {};

export const commitSlots = (ring: Int32Array, count: number): void => {
  steps.reserveSlots(ring, count);
  steps.commitSlots(ring, count);
};
