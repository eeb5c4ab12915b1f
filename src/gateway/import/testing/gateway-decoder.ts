import { LinearDecoder } from '../../codecs/decode-linear.ts';
import type { Raw } from '../../codecs/encode-linear.ts';
import { type WireField, wireField } from '../../codecs/wire-field.ts';
import { Slots } from '../../values/slots.ts';
import type { BoundSignal } from './bound-signals.ts';

/** Decodes a signal with the codecs of instances. */
export class GatewayDecoder {
  readonly #field: WireField;
  readonly #decoder: LinearDecoder;
  readonly #slot = new Slots(1);

  constructor({ codec, row, bits }: BoundSignal) {
    this.#field = wireField({
      kind: codec.raw,
      start: bits.startBit,
      bits: bits.length,
      isMotorola: bits.byteOrder === 'motorola',
    });
    const { raw, factor, offset } = codec;
    this.#decoder = new LinearDecoder({ raw, factor, offset, specials: [] }, row.type);
  }

  /** The value; null for a raw value without one. */
  decode(payload: Uint8Array): Raw | null {
    const quality = this.#decoder.decode(this.#field.read(payload, 0), this.#slot);
    return quality === 'good' ? (this.#slot.wide[0] ?? this.#slot.numbers[0] ?? null) : null;
  }
}
