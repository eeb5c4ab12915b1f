import { Checker } from '../../e2e/checker.ts';
import { compileLayout } from '../../e2e/layout.ts';
import { Protector } from '../../e2e/protector.ts';
import { BitField } from '../codecs/bit-field.ts';
import { LinearDecoder } from '../codecs/decode-linear.ts';
import type { LinearFormat } from '../codecs/encode-linear.ts';
import { ValueEncoder } from '../codecs/value-encoder.ts';
import {
  narrowed,
  rawBitsField,
  type WireField,
  type WireLayout,
  wireField,
} from '../codecs/wire-field.ts';
import type { ImageReader } from '../image/image-reader.ts';
import { bindingTable, codecTable, e2eTable, muxRangeTable, noBit } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { E2eCodec } from '../project/tables/codecs.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Cells } from '../values/cells.ts';
import type { OutputProtection } from './frame-builder.ts';
import { InputCheck } from './input-check.ts';
import { MuxRangeList } from './mux.ts';
import {
  type NativeCodecParts,
  type NativeParts,
  type RawDecoder,
  type RawEncoder,
  requireNatives,
} from './native-parts.ts';
import type { RoundTime } from './signal-states.ts';

export interface PlacedField {
  /** Null if not in a frame. */
  readonly place: WireLayout | null;
  readonly field: WireField;
  readonly validityBit: BitField | null;
  readonly ranges: MuxRangeList | null;
}

type Wire = Pick<PlacedField, 'place' | 'field'>;

/** Longer raw values are possible with plugins only. */
const maxNumberLength = 64;

const newWire = ({ raw: kind, bitLength: bits, byteOrder }: LinearFormat, start: number): Wire => {
  if (bits > maxNumberLength) return { place: null, field: rawBitsField(start, bits) };
  const place = { kind, start, bits, isMotorola: byteOrder === 'motorola' };
  return { place, field: wireField(place) };
};

interface Codec {
  readonly format: LinearFormat;
  readonly native: NativeCodecParts | undefined;
  readonly decoders: Map<SignalType, RawDecoder>;
  encoder: RawEncoder | undefined;
  /** By first bit: messages often repeat layouts. */
  readonly wires: Map<number, Wire>;
}

/** Creates fields, encoders and checks. Equal codecs share them. */
export class WireParts {
  readonly #reader: ImageReader;
  readonly #natives: NativeParts | undefined;
  readonly #codecs = new Map<number, Codec>();
  readonly #codecRows: ReturnType<typeof codecTable.open>;
  readonly #bindings: ReturnType<typeof bindingTable.open>;
  readonly #ranges: ReturnType<typeof muxRangeTable.open>;
  readonly #e2e: ReturnType<typeof e2eTable.open>;

  constructor(image: ProjectImage, reader: ImageReader, natives?: NativeParts) {
    this.#reader = reader;
    this.#natives = natives;
    this.#codecRows = codecTable.open(image.codecs);
    this.#bindings = bindingTable.open(image.bindings);
    this.#ranges = muxRangeTable.open(image.muxRanges);
    this.#e2e = e2eTable.open(image.e2e);
  }

  formatOf(binding: number): LinearFormat {
    return this.#codecOf(binding).format;
  }

  decoder(binding: number, type: SignalType): RawDecoder {
    const { format, native, decoders } = this.#codecOf(binding);
    const decoder = decoders.get(type) ?? native?.decoder(type) ?? new LinearDecoder(format, type);
    decoders.set(type, decoder);
    return decoder;
  }

  encoder(binding: number, type: SignalType): RawEncoder {
    const codec = this.#codecOf(binding);
    if (codec.native) return codec.native.encoder(type);
    codec.encoder ??= new ValueEncoder(codec.format);
    return codec.encoder;
  }

  field(binding: number): PlacedField {
    const { format, wires } = this.#codecOf(binding);
    const { start, validityBit, ranges, firstRange } = this.#bindings;
    const first = start[binding] as number;
    let wire = wires.get(first);
    if (!wire) {
      wire = newWire(format, first);
      wires.set(first, wire);
    }
    const bit = validityBit[binding] as number;
    const count = ranges[binding] as number;
    return {
      place: wire.place,
      field: wire.field,
      validityBit: bit === noBit ? null : new BitField(bit, 1, false),
      ranges: count === 0 ? null : this.#rangeList(firstRange[binding] as number, count),
    };
  }

  /** `number` counts from 1; 0 returns null. */
  check(number: number, staleUs: number, time: RoundTime): InputCheck | null {
    if (number === 0) return null;
    const { codec, length, at } = this.#covered(number);
    const checker =
      typeof codec === 'string'
        ? requireNatives(this.#natives).checker(codec, length)
        : new Checker(compileLayout(codec, length), codec);
    return new InputCheck(checker, at, staleUs, time);
  }

  /** `number` counts from 1; 0 returns null. */
  protection(number: number): OutputProtection | null {
    if (number === 0) return null;
    const { codec, length, at } = this.#covered(number);
    if (typeof codec === 'string') {
      const protector = requireNatives(this.#natives).protector(codec, length);
      return { protector, fields: null, at };
    }
    const protector = new Protector(compileLayout(codec, length));
    return { protector, fields: protector, at };
  }

  #covered(number: number) {
    const row = number - 1;
    const codec = this.#e2e.codec[row] as number;
    return {
      codec:
        this.#reader.pluginOf(codec) ??
        this.#reader.json<E2eCodec>(this.#codecRows.layout[codec] as number),
      length: this.#e2e.length[row] as number,
      at: this.#e2e.at[row] as number,
    };
  }

  #codecOf(binding: number): Codec {
    const number = this.#bindings.codec[binding] as number;
    const known = this.#codecs.get(number);
    if (known) return known;
    const native = this.#native(number);
    const format = this.#reader.format(number);
    const codec: Codec = {
      format: native ? { ...format, bitLength: native.bits } : format,
      native,
      decoders: new Map(),
      encoder: undefined,
      wires: new Map(),
    };
    this.#codecs.set(number, codec);
    return codec;
  }

  #native(codec: number): NativeCodecParts | undefined {
    const plugin = this.#reader.pluginOf(codec);
    if (plugin === undefined) return undefined;
    const bits = (this.#codecRows.bitLength[codec] as number) || undefined;
    return requireNatives(this.#natives).codec(plugin, bits);
  }

  #rangeList(first: number, count: number): MuxRangeList {
    const of = (cells: Cells) =>
      Array.from({ length: count }, (_, index) =>
        narrowed(cells.unsigned[first + index] as bigint),
      );
    return new MuxRangeList(of(this.#ranges.low), of(this.#ranges.high));
  }
}
