import { LinearDecoder } from '../../codecs/decode-linear.ts';
import type { Raw } from '../../codecs/encode-linear.ts';
import { type WireField, wireField } from '../../codecs/wire-field.ts';
import type { BoundSignal } from './bound-signals.ts';

/** Decodes a signal as instances do, with the codecs that they run. */
export class GatewayDecoder {
  readonly #field: WireField;
  readonly #decoder: LinearDecoder;

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

  /** The value; null if the raw has none. */
  decode(payload: Uint8Array): Raw | null {
    const quality = this.#decoder.decode(this.#field.read(payload, 0));
    return quality === 'good' ? this.#decoder.value : null;
  }
}
