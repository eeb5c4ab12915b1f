import { BitField } from '../codecs/bit-field.ts';
import { bitLengthOf } from '../codecs/encode-linear.ts';
import { rawBitsField } from '../codecs/raw-bits-field.ts';
import { narrowed, type WireField, type WirePlace, wireField } from '../codecs/wire-field.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { type bindingPlanTable, muxRangeTable, noBit } from '../plan/plan-tables.ts';
import type { LinearCodec } from '../project/tables/codecs.ts';
import { MuxRangeList } from './mux.ts';
import type { PlanCodecs } from './plan-codecs.ts';

export type PlannedBindings = ReturnType<typeof bindingPlanTable.open>;
type Cells = ReturnType<typeof muxRangeTable.open>['low'];

/** Where a binding lies in the bytes of its message or task, and the pages that it is on. */
export interface PlacedField {
  readonly codec: LinearCodec;
  /** Null where it is none of a frame. */
  readonly place: WirePlace | null;
  readonly field: WireField;
  readonly validityBit: BitField | null;
  readonly ranges: MuxRangeList | null;
}

/** Raws of plugins may be longer. */
const longestNumber = 64;

/** Fields of bindings in messages. */
export class PlanFields {
  readonly #codecs: PlanCodecs;
  readonly #ranges: ReturnType<typeof muxRangeTable.open>;

  constructor({ plan }: ProjectImage, codecs: PlanCodecs) {
    this.#codecs = codecs;
    this.#ranges = muxRangeTable.open(plan.muxRanges);
  }

  field(bindings: PlannedBindings, index: number): PlacedField {
    const codec = this.#codecs.codec(bindings.codec[index] as number);
    const bits = bitLengthOf(codec);
    const isMotorola = codec.byte_order === 'motorola';
    const start = bindings.start[index] as number;
    const place = { kind: codec.raw, start, bits, isMotorola };
    const isNumber = bits <= longestNumber;
    const field = isNumber ? wireField(place) : rawBitsField(start, bits);
    const bit = bindings.validityBit[index] as number;
    const validityBit = bit === noBit ? null : new BitField(bit, 1, false);
    const count = bindings.ranges[index] as number;
    const firstRange = bindings.firstRange[index] as number;
    const ranges = count === 0 ? null : this.#rangeList(firstRange, count);
    return { codec, place: isNumber ? place : null, field, validityBit, ranges };
  }

  #rangeList(first: number, count: number): MuxRangeList {
    const of = (cells: Cells) =>
      Array.from({ length: count }, (_, index) =>
        narrowed(cells.unsigned[first + index] as bigint),
      );
    return new MuxRangeList(of(this.#ranges.low), of(this.#ranges.high));
  }
}
