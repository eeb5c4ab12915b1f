import { patternsOf } from '../../../src/database/switch-patterns.ts';
import type { DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import { bitsOf } from '../codec/signal-bits.ts';
import { LevelBuilder } from '../samples/sample-levels.ts';
import type { SampleColumns } from '../samples/sample-series.ts';

type ReadNumber = (payload: Uint8Array, at: number, length: number) => number;

interface ByteRun {
  readonly byte: number;
  readonly shift: number;
  readonly mask: number;
  readonly weight: number;
}

/** Bits of a signal that are together in a byte, least significant ones first. */
const runsOf = (signal: DatabaseSignal, from: number, to: number): readonly ByteRun[] => {
  const runs: { byte: number; shift: number; mask: number; weight: number }[] = [];
  for (const [index, place] of bitsOf(signal).slice(from, to).entries()) {
    const last = runs.at(-1);
    const bits = last ? Math.log2(last.mask + 1) : 0;
    if (last?.byte === place >> 3 && last.shift + bits === (place & 7)) {
      last.mask = 2 * last.mask + 1;
    } else runs.push({ byte: place >> 3, shift: place & 7, mask: 1, weight: 2 ** index });
  }
  return runs;
};

/** Reads bits as an unsigned number; NaN if the frame is too short. */
const patternReader = (signal: DatabaseSignal, from = 0, to = signal.length): ReadNumber => {
  const runs = runsOf(signal, from, to);
  const end = Math.max(...runs.map(({ byte }) => byte + 1));
  return (payload, at, length) => {
    if (end > length) return Number.NaN;
    let value = 0;
    for (const { byte, shift, mask, weight } of runs) {
      value += (((payload[at + byte] as number) >> shift) & mask) * weight;
    }
    return value;
  };
};

const cell = new DataView(new ArrayBuffer(8));

const floatReader = (signal: DatabaseSignal): ReadNumber => {
  const low = patternReader(signal, 0, 32);
  if (signal.kind === 'float32') {
    return (payload, at, length) => {
      const bits = low(payload, at, length);
      cell.setUint32(0, bits);
      return bits >= 0 ? cell.getFloat32(0) : Number.NaN;
    };
  }
  const high = patternReader(signal, 32, 64);
  return (payload, at, length) => {
    const upper = high(payload, at, length);
    cell.setUint32(0, upper);
    cell.setUint32(4, low(payload, at, length));
    return upper >= 0 ? cell.getFloat64(0) : Number.NaN;
  };
};

/** Reads the raw value; integers of more than 53 bits are rounded. */
const rawReader = (signal: DatabaseSignal): ReadNumber => {
  if (signal.kind === 'float32' || signal.kind === 'float64') return floatReader(signal);
  const pattern = patternReader(signal);
  if (signal.kind !== 'signed') return pattern;
  const half = 2 ** (signal.length - 1);
  return (payload, at, length) => {
    const value = pattern(payload, at, length);
    return value >= half ? value - 2 * half : value;
  };
};

type IsActive = (payload: Uint8Array, at: number, length: number) => boolean;

const always: IsActive = () => true;
const never: IsActive = () => false;

/** Returns whether the multiplexers select the signal, as `activeSignals` does. */
const activityOf = (
  signal: DatabaseSignal,
  { signals }: DatabaseMessage,
  below: readonly DatabaseSignal[] = [signal],
): IsActive => {
  const { multiplexing } = signal;
  if (!multiplexing) return always;
  const over = signals.find(({ name }) => name === multiplexing.switch);
  if (!over || below.includes(over)) return never;
  const isOverActive = activityOf(over, { signals } as DatabaseMessage, [...below, over]);
  const read = patternReader(over);
  const ranges = multiplexing.ranges.map(({ from, to }) => ({
    from: BigInt(from),
    to: BigInt(to),
  }));
  const patterns = patternsOf(ranges, over.length).map(({ from, to }) => ({
    from: Number(from),
    to: Number(to),
  }));
  return (payload, at, length) => {
    const value = read(payload, at, length);
    return (
      patterns.some(({ from, to }) => value >= from && value <= to) &&
      isOverActive(payload, at, length)
    );
  };
};

/** Physical value of a raw value; NaN without one. */
const scaleReader = ({
  factor,
  offset,
  ranges,
  array,
}: DatabaseSignal): ((raw: number) => number) => {
  if (array !== null) return () => Number.NaN;
  const whole = { factor: Number(factor), offset: Number(offset) };
  if (ranges === null) return (raw) => raw * whole.factor + whole.offset;
  const parts = ranges.map((range) => ({
    from: Number(range.from),
    to: Number(range.to),
    factor: Number(range.factor),
    offset: Number(range.offset),
  }));
  return (raw) => {
    const part = parts.find(({ from, to }) => raw >= from && raw <= to);
    return part ? raw * part.factor + part.offset : Number.NaN;
  };
};

export interface SignalReader {
  /** Raw value of a frame; NaN if the signal is not in it. */
  readonly raw: ReadNumber;
  readonly physical: (raw: number) => number;
}

/** Reads one signal of many frames: no allocation per frame, and doubles instead of exact values. */
export const signalReader = (message: DatabaseMessage, signal: DatabaseSignal): SignalReader => {
  const isActive = activityOf(signal, message);
  const read = rawReader(signal);
  return {
    raw: (payload, at, length) =>
      isActive(payload, at, length) ? read(payload, at, length) : Number.NaN,
    physical: scaleReader(signal),
  };
};

const minRoom = 4096;

/** Collects the values of a signal. Frames without the signal are omitted. */
export class SignalCollector {
  readonly #reader: SignalReader;
  readonly #places: ReadonlyMap<number, number>;
  readonly #texts: readonly string[];
  readonly #levels: LevelBuilder;
  #times: Float64Array<ArrayBuffer>;
  #values: Float64Array<ArrayBuffer>;
  #labels: Int32Array<ArrayBuffer>;
  #labelled = 0;
  readonly #labelStarts: number[] = [];
  #length = 0;

  /** `count` is about how many values there are. */
  constructor(message: DatabaseMessage, signal: DatabaseSignal, count: number) {
    const room = Math.max(minRoom, count);
    this.#levels = new LevelBuilder(room);
    this.#times = new Float64Array(room);
    this.#values = new Float64Array(room);
    this.#labels = new Int32Array(signal.values.length > 0 ? room : 0);
    this.#reader = signalReader(message, signal);
    this.#places = new Map(signal.values.map(({ raw }, place) => [Number(raw), place]));
    this.#texts = signal.values.map(({ text }) => text);
  }

  take(us: number, payload: Uint8Array, at: number, length: number): void {
    const raw = this.#reader.raw(payload, at, length);
    if (Number.isNaN(raw)) return;
    if (this.#length === this.#times.length) this.#grow();
    const row = this.#length++;
    // Times must not decrease, because they are searched.
    this.#times[row] = row === 0 ? us : Math.max(us, this.#times[row - 1] as number);
    this.#values[row] = this.#reader.physical(raw);
    if (this.#texts.length > 0) this.#label(row, this.#places.get(raw) ?? -1);
  }

  /** Sums up what was taken. */
  sumUp(): void {
    this.#levels.take(this.#times, this.#values, this.#length);
  }

  get columns(): SampleColumns {
    return {
      times: this.#times.subarray(0, this.#length),
      values: this.#values.subarray(0, this.#length),
      labels: this.#labels.subarray(0, this.#length),
      labelTexts: this.#texts,
      labelled: this.#labelled,
      labelStarts: Uint32Array.from(this.#labelStarts),
      levels: this.#levels.end(this.#times, this.#values, this.#length),
    };
  }

  #label(row: number, place: number): void {
    this.#labels[row] = place;
    if (place >= 0) this.#labelled++;
    if (row > 0 && this.#labels[row - 1] !== place) this.#labelStarts.push(row);
  }

  #grow(): void {
    const room = 2 * this.#times.length;
    const [times, values, labels] = [this.#times, this.#values, this.#labels];
    this.#times = new Float64Array(room);
    this.#values = new Float64Array(room);
    this.#labels = new Int32Array(this.#texts.length > 0 ? room : 0);
    this.#times.set(times);
    this.#values.set(values);
    this.#labels.set(labels);
  }
}
