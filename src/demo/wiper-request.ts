import type { Clock } from '../base/clock/clock.ts';
import { frameFlag, frm2 } from '../frame/frm2-layout.ts';
import { wiper } from './vehicle-model.ts';

/**
 * Message that controls the wipers: one byte, 1 to 3 are the modes of `wiper`; any other value
 * means automatic.
 */
export const wiperRequest = {
  name: 'WiperRequest',
  id: 0x430,
  length: 1,
  periodUs: 100_000,
  automatic: 0,
  max: wiper.fast,
} as const;

const heldUs = 5 * wiperRequest.periodUs;

const otherFormats = frameFlag.extended | frameFlag.remote | frameFlag.fd;

export class WiperRequests {
  readonly #clock: Clock;
  #mode: number = wiperRequest.automatic;
  #receivedUs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  receive(record: DataView, at: number): void {
    if (record.getUint32(at + frm2.id) !== wiperRequest.id) return;
    if ((record.getUint32(at + frm2.flags) & otherFormats) !== 0) return;
    if (record.getUint8(at + frm2.payloadLength) < wiperRequest.length) return;
    const mode = record.getUint8(at + frm2.payload);
    this.#mode = mode <= wiperRequest.max ? mode : wiperRequest.automatic;
    this.#receivedUs = this.#clock.monotonicUs();
  }

  modeAt(nowUs: number): number {
    return nowUs - this.#receivedUs < heldUs ? this.#mode : wiperRequest.automatic;
  }
}
