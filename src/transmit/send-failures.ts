import { BusbarError, type ErrorDetails, invalidArgument } from '../base/errors/busbar-error.ts';
import type { Interruption } from '../bench/bench-sink.ts';
import type { SendRefusal } from '../drivers/send-result.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import type { LinRead } from './lin-read.ts';
import type { FoundSendChannel } from './send-channel.ts';

const withDetails = (error: BusbarError, more: ErrorDetails): BusbarError =>
  error.with({ details: { ...error.details, ...more } });

/** Adds the selector as submitted. Before a channel is found only its text is known. */
export const withSelector = (error: BusbarError, of: FoundSendChannel | string): BusbarError => {
  if (typeof of === 'string') return withDetails(error, { channel: of });
  const { text, kind, resolved } = of;
  const named = { channel: text, selector_kind: kind };
  return withDetails(error, resolved === null ? named : { ...named, resolved });
};

export const sendFailure = (thrown: unknown, of: FoundSendChannel | string): BusbarError =>
  withSelector(BusbarError.from(thrown), of);

export const withProgress = (
  error: BusbarError,
  accepted: number,
  failedIndex: number,
): BusbarError => withDetails(error, { accepted, failed_index: failedIndex });

const deviceLost = (): BusbarError =>
  new BusbarError('hardware_error', {
    message: 'The device was disconnected',
    details: { reason: 'device_lost' },
  });

const cannotSend: Readonly<Record<Exclude<SendRefusal, 'lost' | 'not_on_bus'>, string>> = {
  bus_off: 'The channel is bus off',
  listen_only: 'The channel is listen-only',
  not_master: 'Only a LIN master sends headers, but this channel is a slave',
  unpowered: 'The channel has no bus power',
};

export const refusedBy = (result: SendRefusal, field: string): BusbarError => {
  if (result === 'lost') return deviceLost();
  if (result === 'not_on_bus') {
    return invalidArgument(field, 'The channel does not support this frame type', {
      reason: result,
    });
  }
  return new BusbarError('channel_cannot_send', {
    message: cannotSend[result],
    details: { reason: result },
  });
};

const cancelled = (message: string, reason: string): BusbarError =>
  new BusbarError('operation_cancelled', { message, details: { cancelled: true, reason } });

export const interruptedBy = (why: Interruption): BusbarError => {
  if (why === 'lost') return deviceLost();
  const what = why === 'closed' ? 'closed' : 'reconfigured';
  return cancelled(`The channel was ${what} during the send`, why);
};

export const callerGone = (): BusbarError =>
  cancelled('The caller disconnected during the send', 'caller_gone');

export const abortedRead = (): BusbarError =>
  cancelled('The channel abandoned the master read', 'aborted');

const timeout = (message: string, details: ErrorDetails): BusbarError =>
  new BusbarError('hardware_timeout', { message, details });

export const queueStayedFull = (timeoutUs: number): BusbarError =>
  timeout('The transmit queue of the channel stayed full', {
    reason: 'queue_full',
    timeout_ms: timeoutUs / 1000,
  });

export const noSlotFitted = (timeoutUs: number): BusbarError =>
  timeout('No slot of the LIN schedule had room for the frame', {
    reason: 'no_slot',
    timeout_ms: timeoutUs / 1000,
  });

export const readStayedOpen = (timeoutUs: number): BusbarError =>
  timeout('The master read timed out', { reason: 'timeout', timeout_ms: timeoutUs / 1000 });

export const ranTooLong = (limitUs: number): BusbarError =>
  timeout('The batch exceeded its maximum duration', { reason: 'too_long', limit_us: limitUs });

export const failedRead = (read: LinRead): BusbarError => {
  const { outcome, bytes, checksum } = read;
  if (outcome === 'no_response') return timeout('No node responded', { reason: outcome });
  const received = bytes.length === 0 ? {} : { data: formatHex(bytes), checksum };
  const what =
    outcome === 'collision' ? 'Collision: two nodes responded' : 'Checksum error in the response';
  return new BusbarError('hardware_error', {
    message: what,
    details: { reason: outcome, ...received },
  });
};
