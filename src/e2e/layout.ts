import { BusbarError } from '../base/errors/busbar-error.ts';
import { checksumOf } from './checksums.ts';
import type { E2eProfile, E2eSettings } from './codec-fields.ts';
import { firstCounterOf, maxCounterOf } from './profiles.ts';
import {
  type ChecksumInput,
  type ConstantField,
  type Protection,
  profileProtection,
} from './protection.ts';
import { Uint64, Uint64Field } from './uint64.ts';

/** Counters up to this limit are added and divided exactly as doubles. */
const maxExact = 2n ** 52n;

/** Values of a counter: 0 to the maximum, then 0 again. */
export class CounterRange {
  readonly #max: Uint64;
  readonly #counts: bigint;
  readonly #exactCounts: number | undefined;

  constructor(max: bigint) {
    this.#max = Uint64.of(max);
    this.#counts = max + 1n;
    this.#exactCounts = this.#counts <= maxExact ? Number(this.#counts) : undefined;
  }

  includes(count: Uint64): boolean {
    return !this.#max.isBelow(count);
  }

  increment(count: Uint64): void {
    if (count.equals(this.#max)) count.set(0, 0);
    else count.increment();
  }

  distance(from: Uint64, to: Uint64, steps: Uint64): void {
    steps.copy(to);
    if (to.isBelow(from)) {
      steps.add(this.#max);
      steps.increment();
    }
    steps.subtract(from);
  }

  move(count: Uint64, steps: number | bigint): void {
    const counts = this.#exactCounts;
    if (counts !== undefined && typeof steps === 'number' && this.includes(count)) {
      count.setValue((((count.toNumber() + (steps % counts)) % counts) + counts) % counts);
    } else {
      const moved = (count.toBigInt() + BigInt(steps)) % this.#counts;
      count.setValue(moved < 0n ? moved + this.#counts : moved);
    }
  }
}

type Field = Pick<NonNullable<E2eSettings['counter']>, 'start_bit' | 'bit_length' | 'byte_order'>;

const fieldOf = ({ start_bit, bit_length, byte_order }: Field): Uint64Field =>
  new Uint64Field({ startBit: start_bit, bitLength: bit_length, byteOrder: byte_order });

const hexBytes = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

interface FreeCodec {
  readonly counter: NonNullable<E2eSettings['counter']>;
  readonly checksum: NonNullable<E2eSettings['checksum']>;
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
}

const freeProtection = ({
  counter,
  checksum,
  prefix = '',
  suffix = '',
}: FreeCodec): Protection => ({
  counter: fieldOf(counter),
  checksum: fieldOf(checksum),
  constants: [],
  input: { algorithm: checksumOf(checksum), prefix: hexBytes(prefix), suffix: hexBytes(suffix) },
});

const protectionOf = (codec: E2eSettings, length: number): Protection => {
  const { profile, counter, checksum, prefix, suffix } = codec;
  if (profile !== 'free') return profileProtection(profile, codec, length);
  if (!counter || !checksum) {
    throw new BusbarError('internal_error', { message: 'A free layout needs both its fields' });
  }
  return freeProtection({ counter, checksum, prefix, suffix });
};

const followsProfile1 = (profile: E2eProfile): boolean =>
  profile === '2' || (profile.startsWith('1') && !profile.startsWith('11'));

/** Protection of one message or PDU. It is a class so that V8 sees one shape for all profiles. */
export class E2eLayout implements Protection {
  readonly counter: Uint64Field;
  readonly checksum: Uint64Field;
  readonly constants: readonly ConstantField[];
  readonly input: ChecksumInput;
  readonly length: number;
  readonly maxCounter: bigint;
  readonly counters: CounterRange;
  readonly initialCounter: Uint64;
  readonly sequence: 'profile_1' | 'common';

  constructor(codec: E2eSettings, length: number) {
    const { profile, counter_initial } = codec;
    const { counter, checksum, constants, input } = protectionOf(codec, length);
    this.counter = counter;
    this.checksum = checksum;
    this.constants = constants;
    this.input = input;
    this.length = length;
    this.maxCounter = maxCounterOf(codec) ?? 0n;
    this.counters = new CounterRange(this.maxCounter);
    this.initialCounter = Uint64.of(
      counter_initial === undefined ? firstCounterOf(profile) : BigInt(counter_initial),
    );
    this.sequence = followsProfile1(profile) ? 'profile_1' : 'common';
  }
}

export const compileLayout = (codec: E2eSettings, length: number): E2eLayout =>
  new E2eLayout(codec, codec.data_length ?? length);
