import { lengthToDlc } from '../frame/dlc.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import type { VehicleState } from './vehicle-model.ts';

/** A little-endian signal: `physical = raw × factor + offset`. */
export interface SignalLayout {
  readonly name: string;
  readonly startBit: number;
  readonly bits: number;
  readonly signed?: boolean;
  readonly factor: number;
  readonly offset: number;
  readonly unit: string;
  readonly of: (state: VehicleState) => number;
}

export type VehicleBus = 'powertrain' | 'body' | 'lin';

/** A cyclic frame. Its first four bits are a counter. */
export interface FrameLayout {
  readonly name: string;
  readonly bus: VehicleBus;
  readonly id: number;
  readonly extended?: boolean;
  /** CAN FD with bit rate switching. */
  readonly fd?: boolean;
  readonly length: number;
  readonly periodUs: number;
  readonly signals: readonly SignalLayout[];
}

const aliveMask = 0x0f;

const rawOf = (signal: SignalLayout, value: number): number => {
  const { bits, factor, offset, signed = false } = signal;
  const span = 2 ** bits;
  const low = signed ? -span / 2 : 0;
  const raw = Math.round((value - offset) / factor);
  const held = Math.min(Math.max(raw, low), low + span - 1);
  return held < 0 ? held + span : held;
};

const writeBits = (data: Uint8Array, startBit: number, bits: number, raw: number): void => {
  for (let i = 0; i < bits; i++) {
    const at = startBit + i;
    const mask = 1 << (at & 7);
    const byte = data[at >> 3] as number;
    data[at >> 3] = (raw >>> i) & 1 ? byte | mask : byte & ~mask;
  }
};

export class FrameEncoder {
  readonly layout: FrameLayout;
  readonly flags: number;
  readonly dlc: number;
  readonly data: Uint8Array;
  #alive = aliveMask;

  constructor(layout: FrameLayout) {
    const { bus, extended = false, fd = false, length } = layout;
    this.layout = layout;
    this.data = new Uint8Array(length);
    this.dlc = lengthToDlc(length, fd);
    this.flags =
      (bus === 'lin' ? frameFlag.enhancedChecksum : 0) |
      (extended ? frameFlag.extended : 0) |
      (fd ? frameFlag.fd | frameFlag.brs : 0);
  }

  encode(state: VehicleState): void {
    this.#alive = (this.#alive + 1) & aliveMask;
    writeBits(this.data, 0, 4, this.#alive);
    const { signals } = this.layout;
    for (let i = 0; i < signals.length; i++) {
      const signal = signals[i];
      if (!signal) continue;
      writeBits(this.data, signal.startBit, signal.bits, rawOf(signal, signal.of(state)));
    }
  }
}
