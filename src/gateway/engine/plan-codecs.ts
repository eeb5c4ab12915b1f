import { decodedFormatOf, LinearDecoder } from '../codecs/decode-linear.ts';
import { type Raw, wireFormatOf } from '../codecs/encode-linear.ts';
import { ValueEncoder } from '../codecs/value-encoder.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { StringPool } from '../memory/string-pool.ts';
import { codecPlanTable } from '../plan/plan-tables.ts';
import type { LinearCodec, NativeCodec } from '../project/tables/codecs.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { Slots } from '../values/slots.ts';
import {
  type NativeCodecParts,
  type NativeParts,
  type RawDecoder,
  type RawEncoder,
  requireNatives,
} from './native-parts.ts';
import type { SignalStates } from './signal-states.ts';

const slot = new Slots(1);

/** Codecs of a plan. Equal ones are one: what they compute is used before they compute again. */
export class PlanCodecs {
  readonly #strings: StringPool;
  readonly #rows: Uint32Array;
  readonly #known = new Map<number, LinearCodec>();
  readonly #decoders = new Map<LinearCodec, Map<SignalType, RawDecoder>>();
  readonly #encoders = new Map<LinearCodec, ValueEncoder>();
  readonly #natives: NativeParts | undefined;
  /** Codecs of plugins, by what stands for their raws. */
  readonly #nativeCodecs = new Map<LinearCodec, NativeCodecParts>();

  constructor({ strings, plan }: ProjectImage, natives?: NativeParts) {
    this.#natives = natives;
    this.#strings = new StringPool(strings);
    this.#rows = codecPlanTable.open(plan.codecs).row;
  }

  /** A codec by its number. */
  codec(number: number): LinearCodec {
    const text = this.#rows[number] as number;
    let codec = this.#known.get(text);
    if (!codec) {
      codec = this.#read(text);
      this.#known.set(text, codec);
    }
    return codec;
  }

  decoder(codec: LinearCodec, type: SignalType): RawDecoder {
    const ofCodec = this.#decoders.get(codec) ?? new Map<SignalType, RawDecoder>();
    const decoder =
      ofCodec.get(type) ??
      this.#nativeCodecs.get(codec)?.decoder(type) ??
      new LinearDecoder(decodedFormatOf(codec), type);
    this.#decoders.set(codec, ofCodec.set(type, decoder));
    return decoder;
  }

  encoder(codec: LinearCodec, type: SignalType): RawEncoder {
    const native = this.#nativeCodecs.get(codec);
    if (native) return native.encoder(type);
    const encoder = this.#encoders.get(codec) ?? new ValueEncoder(wireFormatOf(codec));
    this.#encoders.set(codec, encoder);
    return encoder;
  }

  /** What the initial value of a signal is on the wire; 0 where there is none, or it cannot be encoded. */
  initialRaw(signals: SignalStates, signal: number, encoder: RawEncoder): Raw {
    const initial = signals.initialOf(signal);
    if (initial === undefined) return 0;
    slot.setValue(0, initial);
    return encoder.encode(slot, 0) === null ? encoder.raw : 0;
  }

  /** Of a codec of a plugin, the raw is as many bits as it has. */
  #read(text: number): LinearCodec {
    const codec = this.json<LinearCodec | NativeCodec>(text);
    if (codec.kind === 'linear') return codec;
    const parts = requireNatives(this.#natives).codec(codec.plugin, codec.bit_length);
    const raw: LinearCodec = {
      id: '',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: parts.bits,
      byte_order: 'intel',
      word_order: 'ABCD',
      factor: 1,
      offset: 0,
    };
    this.#nativeCodecs.set(raw, parts);
    return raw;
  }

  /** What the builder wrote there from a project that it had validated. */
  json<T>(text: number): T {
    return JSON.parse(this.#strings.at(text) ?? 'null');
  }
}
