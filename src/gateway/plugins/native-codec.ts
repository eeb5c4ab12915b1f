import type { EncodingError, Raw } from '../codecs/encode-linear.ts';
import { narrowed } from '../codecs/wire-field.ts';
import type { NativeCodecParts, RawDecoder, RawEncoder } from '../engine/native-parts.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Quality } from '../values/quality.ts';
import { Slots } from '../values/slots.ts';
import { maxFrameBytes, status, ValueBlock } from './abi.ts';
import type { CallMarker, NativeInstance } from './native-instance.ts';
import type { NativeFunction } from './native-library.ts';

class RawBits {
  readonly bytes = new Uint8Array(maxFrameBytes);
  readonly #size: number;
  readonly #lastMask: number;

  constructor(bits: number) {
    this.#size = Math.ceil(bits / 8);
    this.#lastMask = 0xff >> (8 * this.#size - bits);
  }

  put(raw: Raw): void {
    const { bytes } = this;
    if (typeof raw === 'number') {
      let rest = raw;
      for (let index = 0; index < this.#size; index++) {
        bytes[index] = rest % 256;
        rest = Math.floor(rest / 256);
      }
      return;
    }
    let rest = raw;
    for (let index = 0; index < this.#size; index++) {
      bytes[index] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  }

  clear(): void {
    this.bytes.fill(0);
  }

  take(): Raw {
    const { bytes } = this;
    const last = this.#size - 1;
    bytes[last] = (bytes[last] as number) & this.#lastMask;
    if (this.#size <= 6) {
      let value = 0;
      for (let index = last; index >= 0; index--) value = 256 * value + (bytes[index] as number);
      return value;
    }
    let value = 0n;
    for (let index = last; index >= 0; index--)
      value = (value << 8n) | BigInt(bytes[index] as number);
    return narrowed(value);
  }
}

interface CodecCalls {
  readonly instance: NativeInstance;
  readonly marker: CallMarker;
  readonly decode: NativeFunction;
  readonly encode: NativeFunction;
}

const unused = new Slots(1);

class CodecUse {
  readonly plain = null;
  protected readonly calls: CodecCalls;
  protected readonly bits: RawBits;
  protected readonly value: ValueBlock;

  constructor(calls: CodecCalls, bits: number, type: SignalType) {
    this.calls = calls;
    this.bits = new RawBits(bits);
    this.value = new ValueBlock([type]);
  }
}

class NativeDecoder extends CodecUse implements RawDecoder {
  decode(raw: Raw, to: Slots): Quality {
    const { instance, marker, decode } = this.calls;
    this.bits.put(raw);
    this.value.clear();
    marker.enter();
    const outcome = decode(instance.pointer, this.bits.bytes, this.value.bytes);
    marker.leave();
    if (outcome === status.invalid) return 'invalid';
    if (outcome === status.notAvailable) return 'not_available';
    const isValue = outcome === status.ok && this.value.isValid(0) && this.value.take(0, to, 0);
    return isValue ? 'good' : 'error';
  }

  accepts(raw: Raw): boolean {
    return this.decode(raw, unused) !== 'error';
  }
}

class NativeEncoder extends CodecUse implements RawEncoder {
  raw: Raw = 0;
  readonly invalidRaw = undefined;
  encode(values: Slots, slot: number): EncodingError | null {
    const { instance, marker, encode } = this.calls;
    this.value.put(0, values, slot, true, 0);
    this.bits.clear();
    marker.enter();
    const outcome = encode(instance.pointer, this.value.bytes, this.bits.bytes);
    marker.leave();
    if (outcome !== status.ok) return 'native_failed';
    this.raw = this.bits.take();
    return null;
  }
}

export class NativeCodec implements NativeCodecParts {
  readonly bits: number;
  readonly #calls: CodecCalls;

  constructor(calls: CodecCalls, bits: number) {
    this.#calls = calls;
    this.bits = bits;
  }

  reset(): void {
    this.#calls.instance.reset();
  }

  decoder(type: SignalType): RawDecoder {
    return new NativeDecoder(this.#calls, this.bits, type);
  }

  encoder(type: SignalType): RawEncoder {
    return new NativeEncoder(this.#calls, this.bits, type);
  }
}
