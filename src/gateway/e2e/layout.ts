import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { E2eCodec, E2eProfile } from '../project/tables/codecs.ts';
import { largestCounterOf } from '../project/validate/e2e-profiles.ts';
import { CounterRange } from './counter-range.ts';
import { freeProtection } from './free-protection.ts';
import { profileProtection } from './profile-protection.ts';
import type { Protection } from './protection.ts';
import { Uint64 } from './uint64.ts';

/** The protection of one message or PDU, compiled for it: what sender and receiver agree upon. */
export interface E2eLayout extends Protection {
  /** Bytes that are protected, the protection itself included. */
  readonly length: number;
  readonly largestCounter: bigint;
  readonly counters: CounterRange;
  /** The counter of the first frame. */
  readonly initialCounter: Uint64;
  /** Whether profile 1's rules judge the order of counters, or those of the later profiles. */
  readonly sequence: 'profile_1' | 'common';
}

const protectionOf = (codec: E2eCodec, length: number): Protection => {
  const { profile, counter, checksum, prefix, suffix } = codec;
  if (profile !== 'free') return profileProtection(profile, codec, length);
  if (!counter || !checksum) {
    throw new BusbarError('internal_error', { message: 'A free layout needs both its fields' });
  }
  return freeProtection({ counter, checksum, prefix, suffix });
};

const followsProfile1 = (profile: E2eProfile): boolean =>
  profile === '2' || (profile.startsWith('1') && !profile.startsWith('11'));

/** These profiles count before they send, so that 1 is what receivers see first. */
const firstCounterOf = (profile: E2eProfile): bigint =>
  profile === '2' || profile === '22' ? 1n : 0n;

/** Compiles a codec of a valid project for a message or PDU of so many bytes. */
export const compileLayout = (codec: E2eCodec, length: number): E2eLayout => {
  const { profile, data_length = length, counter_initial } = codec;
  const largestCounter = largestCounterOf(codec) ?? 0n;
  return {
    ...protectionOf(codec, data_length),
    length: data_length,
    largestCounter,
    counters: new CounterRange(largestCounter),
    initialCounter: Uint64.of(
      counter_initial === undefined ? firstCounterOf(profile) : BigInt(counter_initial),
    ),
    sequence: followsProfile1(profile) ? 'profile_1' : 'common',
  };
};
