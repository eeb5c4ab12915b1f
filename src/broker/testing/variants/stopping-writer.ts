/** A writer that can be stopped after any of its steps. */
import * as steps from '../../writer-steps.ts';
import { passPoint } from '../stop-point.ts';

export * from '../../writer-steps.ts';

export const reserveSlots = (ring: Int32Array, count: number): void => {
  steps.reserveSlots(ring, count);
  passPoint('reserve');
};

export const announce = (control: Int32Array, pending: number): void => {
  steps.announce(control, pending);
  passPoint('announce');
};

export const takeIds = (control: Int32Array, count: number): number => {
  const first = steps.takeIds(control, count);
  passPoint('take ids');
  return first;
};

export const commitSlots = (ring: Int32Array, count: number): void => {
  steps.commitSlots(ring, count);
  passPoint('commit');
};

export const retract = (control: Int32Array, pending: number): void => {
  steps.retract(control, pending);
  passPoint('retract');
};
