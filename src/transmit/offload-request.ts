import type { BusbarError } from '../base/errors/busbar-error.ts';
import type { CanOffload } from '../drivers/can-offload.ts';
import { unsupportedByHardware } from '../drivers/refusals.ts';

/** Returns whether the device should send. By default it does if it can and reports enough. */
export const mayOffload = (asked: boolean | undefined, offload: CanOffload | undefined): boolean =>
  asked ?? offload?.isOnRequest !== true;

export const cannotOffload = (what: string): BusbarError =>
  unsupportedByHardware('offload', `The device cannot ${what}, or has no free slot`);
