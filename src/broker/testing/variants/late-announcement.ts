/** Announces ids only after they have been allocated. */
import * as steps from '../../writer-steps.ts';

export * from '../../writer-steps.ts';

let pendingAt = 0;

export const announce = (_control: Int32Array, pending: number): void => {
  pendingAt = pending;
};

export const takeIds = (control: Int32Array, count: number): number => {
  const first = steps.takeIds(control, count);
  Atomics.store(control, pendingAt, first | 0);
  return first;
};
