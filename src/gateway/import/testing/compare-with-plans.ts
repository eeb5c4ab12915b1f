import { requireDecimal } from '../../../base/decimal/decimal.ts';
import { compileDecoder } from '../../../signal/compile-decoder.ts';
import { compileEncoder } from '../../../signal/compile-encoder.ts';
import { SampleText } from '../../../signal/sample-text.ts';
import { viewOf } from '../../../signal/testing/models.ts';
import { referenceEncode } from '../../../signal/testing/reference-codec.ts';
import { ValueInput } from '../../../signal/value-input.ts';
import { formatOf, LinearEncoder } from '../../codecs/encode-linear.ts';
import type { Random } from '../../project/validate/testing/mutations.ts';
import { type BoundMessage, type BoundSignal, isActive, rangesOf, rawIn } from './bound-signals.ts';
import { type Fraction, fractionOf, isSame, scaled, textOf, wholeOf } from './exact-values.ts';
import { GatewayDecoder } from './gateway-decoder.ts';

/** Compared items, and differences between project and plan. */
export class Comparison {
  frames = 0;
  values = 0;
  /** Values for which the project has the nearest double, since the factor has more digits. */
  rounded = 0;
  readonly differences: string[] = [];

  differs(signal: BoundSignal, what: string, project: unknown, plan: unknown): void {
    this.differences.push(`${signal.binding.id}: ${what} ${project}, and ${plan} by the plan`);
  }
}

const patternOf = ({ bits }: BoundSignal, raw: number | bigint): bigint => {
  const view = new DataView(new ArrayBuffer(8));
  if (bits.kind === 'float32') view.setFloat32(4, Number(raw));
  else if (bits.kind === 'float64') view.setFloat64(0, Number(raw));
  else view.setBigUint64(0, BigInt.asUintN(bits.length, BigInt(raw)));
  return view.getBigUint64(0);
};

const isFloat = ({ codec }: BoundSignal): boolean =>
  codec.raw === 'float32' || codec.raw === 'float64';

const isIdentity = ({ codec }: BoundSignal): boolean => codec.factor === 1 && codec.offset === 0;

const randomBits = (random: Random, length: number): bigint => {
  let bits = 0n;
  for (let at = 0; at < length; at += 16) bits = (bits << 16n) | BigInt(random(65_536));
  return BigInt.asUintN(length, bits);
};

const pageOf = (signal: BoundSignal, random: Random): bigint => {
  const ranges = rangesOf(signal);
  const [from, to] = ranges[random(ranges.length)] ?? [0n, 0n];
  return from + (randomBits(random, 64) % (to - from + 1n));
};

/** Selector values for which some signal is present. */
const chosenPages = ({ signals }: BoundMessage, random: Random): Map<string, bigint> => {
  const pages = new Map<string, bigint>();
  let signal = signals[random(signals.length)];
  while (signal?.binding.mux !== undefined) {
    const { selector } = signal.binding.mux;
    pages.set(selector, pageOf(signal, random));
    signal = signals.find(({ binding }) => binding.id === selector);
  }
  return pages;
};

const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));

const holds: Readonly<Record<string, (whole: bigint | null) => boolean>> = {
  bool: (whole) => whole === 0n || whole === 1n,
  int64: (whole) => whole !== null && BigInt.asIntN(64, whole) === whole,
  uint64: (whole) => whole !== null && BigInt.asUintN(64, whole) === whole,
};

const compareValue = (
  signal: BoundSignal,
  raw: number | bigint,
  planned: string | null,
  comparison: Comparison,
): void => {
  const { factor, offset, row } = signal;
  comparison.values += 1;
  if (isFloat(signal)) {
    const value = Number(raw) * signal.codec.factor + signal.codec.offset;
    // The text of a float32 has only the digits that distinguish it from its neighbours.
    const nearest = isIdentity(signal) && signal.codec.raw === 'float32' ? Math.fround : Number;
    const plan = planned === null ? Number.NaN : nearest(Number(planned));
    const isSameDouble = Object.is(value, plan) || (Number.isNaN(plan) && !Number.isFinite(value));
    if (!isSameDouble && !isNear(value, plan)) comparison.differs(signal, 'value', value, planned);
    return;
  }
  const value = scaled(fractionOf(String(raw)), factor, offset);
  if (!(holds[row.type]?.(wholeOf(value)) ?? true)) {
    comparison.differs(signal, `${row.type} cannot hold`, textOf(value), planned);
  }
  if (!signal.isExact) comparison.rounded += 1;
  const isEqual = signal.isExact
    ? isSame(value, fractionOf(planned ?? ''))
    : isNear(Number(textOf(value)), Number(planned));
  if (!isEqual) comparison.differs(signal, 'value', textOf(value), planned);
};

/** Whether an instance has the same value as the plan, or both have none. */
const isValueOf = (signal: BoundSignal, value: number | bigint | null, planned: string | null) => {
  if (planned === null) return value === null;
  if (value === null) return !isHeld(planned);
  if (signal.row.type !== 'float64') return BigInt(value) === BigInt(planned);
  if (isFloat(signal) && isIdentity(signal)) {
    return signal.codec.raw === 'float32'
      ? Math.fround(Number(planned)) === value
      : Number(planned) === value;
  }
  return signal.isExact ? Number(planned) === value : isNear(Number(planned), Number(value));
};

const isHeld = (text: string): boolean => Number.isFinite(Number(text));

/** Decodes frames of a message by its rows, by the codecs of instances and by its plan. */
export const compareReceived = (
  bound: BoundMessage,
  frames: number,
  random: Random,
  comparison: Comparison,
): void => {
  const { message, signals } = bound;
  const { decode, newValues } = compileDecoder(message);
  const values = newValues();
  const texts = new SampleText(message.signals);
  const decoders = new Map(signals.map((signal) => [signal, new GatewayDecoder(signal)]));
  for (let frame = 0; frame < frames; frame += 1) {
    let payload: Uint8Array = Uint8Array.from({ length: message.length }, () => random(256));
    for (const [selector, raw] of chosenPages(bound, random)) {
      const signal = signals.find(({ binding }) => binding.id === selector);
      if (signal) payload = referenceEncode(signal.bits, patternOf(signal, raw), payload);
    }
    values.clear();
    decode(viewOf(payload), 0, payload.length, values);
    comparison.frames += 1;
    for (const signal of signals) {
      const isThere = isActive(signal, signals, (selector) => rawIn(selector, payload));
      const planned = texts.textOf(values, signal.number);
      if (isThere !== (planned !== null)) {
        comparison.differs(signal, 'is there', isThere, planned !== null);
      } else if (planned !== null) {
        const raw = rawIn(signal, payload);
        compareValue(signal, raw, planned.value, comparison);
        const value = decoders.get(signal)?.decode(payload) ?? null;
        if (!isValueOf(signal, value, planned.value)) {
          comparison.differs(signal, 'an instance has', value, planned.value);
        }
      }
    }
  }
};

const randomRaw = (signal: BoundSignal, random: Random): number | bigint => {
  const { bits, codec } = signal;
  if (isFloat(signal)) {
    const any = random(2_000_001) / 8 - 125_000;
    const { raw_min: least = -Infinity, raw_max: max = Infinity } = codec;
    return Math.min(Math.max(any, Number(least)), Number(max));
  }
  const pattern = randomBits(random, bits.length);
  const any = bits.kind === 'signed' ? BigInt.asIntN(bits.length, pattern) : pattern;
  const least = codec.raw_min === undefined ? null : BigInt(codec.raw_min);
  const max = codec.raw_max === undefined ? null : BigInt(codec.raw_max);
  if (least !== null && any < least) return least;
  return max !== null && any > max ? max : any;
};

/** Beyond this, digits of the value have no bits in a float raw value. */
const tenths = 3n;

/** The value of a raw value, or one between it and the next. */
const valueNear = (signal: BoundSignal, raw: number | bigint, isBetween: boolean): Fraction => {
  const { digits, places } = fractionOf(String(raw));
  const between = { digits: digits * 10n + tenths, places: places + 1 };
  return scaled(isBetween ? between : { digits, places }, signal.factor, signal.offset);
};

/** Encodes values of a message by its rows and by its plan, and lays out the frames. */
export const compareSent = (
  { message, signals, row }: BoundMessage,
  frames: number,
  random: Random,
  comparison: Comparison,
): void => {
  const { encode, newValues } = compileEncoder(message);
  const values = newValues();
  const input = new ValueInput(message.signals);
  const encoders = new Map(
    signals.map((signal) => [signal, new LinearEncoder(formatOf(signal.codec))]),
  );
  for (let frame = 0; frame < frames; frame += 1) {
    const pages = chosenPages({ message, signals, row }, random);
    const raws = new Map<BoundSignal, number | bigint>();
    values.clear();
    for (const signal of signals) {
      const wanted = pages.get(signal.binding.id) ?? randomRaw(signal, random);
      const isBetween = !pages.has(signal.binding.id) && random(3) === 0;
      const text = textOf(valueNear(signal, wanted, isBetween));
      const encoding = encoders.get(signal)?.encode(requireDecimal(text, signal.binding.id));
      if (encoding === undefined || encoding.error !== undefined) {
        // Half a step beyond the last raw value, or a page excluded by the limits of the file.
        if (!isBetween && encoding?.error !== 'inexact' && !pages.has(signal.binding.id)) {
          comparison.differs(signal, `${text} is`, encoding?.error, wanted);
        }
        input.setRaw(values, signal.number, wanted);
        raws.set(signal, wanted);
        continue;
      }
      comparison.values += 1;
      input.setPhysical(values, signal.number, text);
      const planned = values.get(signal.number) ?? Number.NaN;
      const isEqual =
        BigInt(isFloat(signal) ? 0 : planned) === BigInt(isFloat(signal) ? 0 : encoding.raw);
      const isEqualFloat = !isFloat(signal) || isNear(Number(planned), Number(encoding.raw));
      if (!(isEqual && isEqualFloat) && signal.isExact) {
        comparison.differs(signal, `${text} is`, encoding.raw, planned);
      }
      if (!signal.isExact) comparison.rounded += 1;
      raws.set(signal, planned);
    }
    let payload: Uint8Array = new Uint8Array(message.length);
    for (const signal of signals) {
      const raw = raws.get(signal) ?? 0;
      if (!isActive(signal, signals, (selector) => raws.get(selector) ?? 0)) continue;
      payload = referenceEncode(signal.bits, patternOf(signal, raw), payload);
    }
    const planned = new Uint8Array(message.length);
    encode(values, viewOf(planned), 0, planned.length);
    comparison.frames += 1;
    if (Buffer.compare(payload, planned) !== 0 && signals[0]) {
      const [one, other] = [payload, planned].map((bytes) => Buffer.from(bytes).toString('hex'));
      comparison.differs(signals[0], 'frame', one, other);
    }
  }
};
