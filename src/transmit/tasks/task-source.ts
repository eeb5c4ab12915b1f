import { wholeError } from '../../base/decimal/whole-number.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { bytesFor } from '../../database/layout.ts';
import type { Message, Signal } from '../../database/model.ts';
import { isFloat, rawSpanOf } from '../../database/raw-span.ts';
import { requireE2e } from '../../e2e/check-fields.ts';
import type { E2eSettings } from '../../e2e/codec-fields.ts';
import { protectedFields } from '../../e2e/profiles.ts';
import type { MessageEncoder, SignalTexts } from '../../signal/encode/message-encoder.ts';
import type { CounterBits, OwnedParts } from './owned-bits.ts';
import { isInMask, ownedMask } from './owned-mask.ts';

/** Where the frames of a task come from. It outlives the database. */
export interface TaskSource extends OwnedParts {
  readonly database: string;
  readonly message: Message;
  readonly isLin: boolean;
  /** Raw values set so far. */
  readonly values: SignalTexts;
}

export interface CounterRequest {
  readonly signal: string;
  readonly max?: string | undefined;
}

const refuseCounter = (field: string, problem: string, reason: string): never => {
  throw invalidArgument(field, `${field} ${problem}`, { reason });
};

/** Checks a counter and where it counts. */
export const counterBits = (
  encoder: MessageEncoder,
  { signal: name, max }: CounterRequest,
): CounterBits => {
  const signal = encoder.signalNamed(name, 'counter.signal');
  if (isFloat(signal)) refuseCounter('counter.signal', 'must be an integer signal', 'not_integer');
  if (signal.length > 64) refuseCounter('counter.signal', 'must have at most 64 bits', 'too_long');
  if (signal.multiplexing !== null) {
    refuseCounter('counter.signal', 'must be in every frame, not multiplexed', 'multiplexed');
  }
  const { length } = encoder.message;
  if (bytesFor(signal) > length) {
    refuseCounter('counter.signal', `must fit into the ${length} bytes`, 'outside_message');
  }
  const { highest } = rawSpanOf(signal);
  if (max === undefined) return { place: signal, max: highest };
  const fault = wholeError(max, { least: 1n, max: highest });
  if (fault) refuseCounter('counter.max', `${fault}, as its bits allow`, 'out_of_range');
  return { place: signal, max: BigInt(max) };
};

/** A signal and the multiplexers above it, whose values decide whether a frame has it. */
const withSwitches = (encoder: MessageEncoder, signal: Signal): readonly Signal[] => {
  const chain = new Set<Signal>();
  let next: Signal | undefined = signal;
  while (next !== undefined && !chain.has(next)) {
    chain.add(next);
    const above: string | undefined = next.multiplexing?.switch;
    next = above === undefined ? undefined : encoder.signalNamed(above);
  }
  return [...chain];
};

/**
 * Rejects signals that the counter or the protection of a task writes, and those that only appear
 * with certain values of such a signal.
 */
export const refuseOwned = (
  encoder: MessageEncoder,
  { counter, e2e }: Omit<OwnedParts, 'length'>,
  given: SignalTexts,
): void => {
  const { length } = encoder.message;
  const counting = ownedMask(counter ? [counter.place] : [], length);
  const protecting = ownedMask(e2e ? protectedFields(e2e) : [], length);
  for (const name of Object.keys(given)) {
    const needed = withSwitches(encoder, encoder.signalNamed(name));
    const counted = needed.find((signal) => isInMask(counting, signal));
    const owned = counted ?? needed.find((signal) => isInMask(protecting, signal));
    if (owned === undefined) continue;
    const isCounter = counted !== undefined;
    const owner = isCounter ? 'the counter' : 'the E2E protection';
    const through = owned.name === name ? '' : ` depends on ${owned.name}, which`;
    throw new BusbarError('signal_not_writable', {
      message: `${name}${through} belongs to ${owner} of the task`,
      details: { field: `signals.${name}`, signal: name, owner: isCounter ? 'counter' : 'e2e' },
    });
  }
};

export const checkedOwners = (
  encoder: MessageEncoder,
  counter: CounterRequest | undefined,
  e2e: E2eSettings | undefined,
): Omit<OwnedParts, 'length'> => {
  const { length } = encoder.message;
  const bits = counter && counterBits(encoder, counter);
  if (e2e) requireE2e(e2e, length);
  if (bits && e2e && isInMask(ownedMask(protectedFields(e2e), length), bits.place)) {
    refuseCounter('counter.signal', 'must not overlap the bits that e2e fills', 'overlap');
  }
  return { counter: bits, e2e };
};
