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

const newWire = (codec: LinearCodec, start: number): Wire => {
  const bits = bitLengthOf(codec);
  if (bits > longestNumber) return { place: null, field: rawBitsField(start, bits) };
  const isMotorola = codec.byte_order === 'motorola';
  const place = { kind: codec.raw, start, bits, isMotorola };
  return { place, field: wireField(place) };
};

type Wire = Pick<PlacedField, 'place' | 'field'>;

/** Fields of bindings in messages. Equal ones are one: messages are often alike. */
export class PlanFields {
  readonly #codecs: PlanCodecs;
  /** By codec, and the bit that they begin with. */
  readonly #wires = new Map<LinearCodec, Map<number, Wire>>();
  readonly #ranges: ReturnType<typeof muxRangeTable.open>;

  constructor({ plan }: ProjectImage, codecs: PlanCodecs) {
    this.#codecs = codecs;
    this.#ranges = muxRangeTable.open(plan.muxRanges);
  }

  field(bindings: PlannedBindings, index: number): PlacedField {
    const codec = this.#codecs.codec(bindings.codec[index] as number);
    const { place, field } = this.#wireOf(codec, bindings.start[index] as number);
    const bit = bindings.validityBit[index] as number;
    const validityBit = bit === noBit ? null : new BitField(bit, 1, false);
    const count = bindings.ranges[index] as number;
    const firstRange = bindings.firstRange[index] as number;
    const ranges = count === 0 ? null : this.#rangeList(firstRange, count);
    return { codec, place, field, validityBit, ranges };
  }

  #wireOf(codec: LinearCodec, start: number): Wire {
    const ofCodec = this.#wires.get(codec) ?? new Map<number, Wire>();
    const known = ofCodec.get(start);
    if (known) return known;
    const wire = newWire(codec, start);
    this.#wires.set(codec, ofCodec.set(start, wire));
    return wire;
  }

  #rangeList(first: number, count: number): MuxRangeList {
    const of = (cells: Cells) =>
      Array.from({ length: count }, (_, index) =>
        narrowed(cells.unsigned[first + index] as bigint),
      );
    return new MuxRangeList(of(this.#ranges.low), of(this.#ranges.high));
  }
}
