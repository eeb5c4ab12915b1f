import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import { retryableUnlessLasting } from '../../base/errors/lasting-reasons.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { FramingProblemKind } from '../framing/framing.ts';
import { exceptionName, exceptionText } from '../pdu/exception-codes.ts';
import type { ResponseError } from '../pdu/responses.ts';

export const exceptionError = (unit: number, exception: number): BusbarError =>
  new BusbarError('modbus_exception', {
    message: `Unit ${unit} returned ${exceptionText(exception)}`,
    details: { unit, exception, name: exceptionName(exception) },
  });

export const timeoutError = (unit: number, timeoutMs: number, queuedMs: number): BusbarError =>
  new BusbarError('modbus_timeout', {
    message: `Unit ${unit} did not answer within ${timeoutMs} ms`,
    details: { unit, timeout_ms: timeoutMs, queued_ms: queuedMs },
  });

export type InvalidPart =
  | Exclude<ResponseError, 'byte_count'>
  | 'transaction'
  | 'unit'
  | 'exception'
  | 'checksum'
  | 'character'
  | 'protocol'
  | 'garbage';

const wrongOfProblem: Readonly<Record<FramingProblemKind, InvalidPart>> = {
  garbage: 'garbage',
  bad_checksum: 'checksum',
  bad_character: 'character',
  bad_length: 'length',
  bad_protocol: 'protocol',
  too_long: 'length',
  incomplete: 'length',
};

const problemText: Readonly<Record<FramingProblemKind, string>> = {
  garbage: 'Invalid frame',
  bad_checksum: 'Checksum error',
  bad_character: 'Invalid character in a frame',
  bad_length: 'Invalid frame length',
  bad_protocol: 'Unknown protocol ID',
  too_long: 'The frame is too long',
  incomplete: 'Incomplete frame',
};

export interface BadReply {
  readonly wrong: InvalidPart;
  readonly message: string;
  readonly received?: string;
}

export const problemReply = (kind: FramingProblemKind, bytes: Uint8Array): BadReply => ({
  wrong: wrongOfProblem[kind],
  message: problemText[kind],
  received: formatHex(bytes),
});

export const invalidReply = (
  error: ResponseError | InvalidPart,
  message: string,
  received: string,
): BadReply => ({ wrong: error === 'byte_count' ? 'length' : error, message, received });

export const badReplyError = (
  endpoint: string,
  unit: number,
  { wrong, message, received }: BadReply,
  more: ErrorDetails = {},
): BusbarError =>
  new BusbarError('modbus_bad_reply', {
    message: `Invalid response from unit ${unit}: ${message}`,
    details: { endpoint, unit, wrong, ...(received && { received }), ...more },
  });

/** No request was sent to the unit, because a late response could be mistaken for the new one. */
export const resynchronisingError = (
  { unit, untilUs }: { readonly unit: number; readonly untilUs: number },
  nowUs: number,
  unixUs: number,
): BusbarError => {
  const leftUs = Math.max(0, untilUs - nowUs);
  const retryInMs = Math.ceil(leftUs / 1000);
  return new BusbarError('busy', {
    message: `Unit ${unit} was not polled: it is being resynchronised for another ${retryInMs} ms`,
    details: {
      unit,
      reason: 'resynchronising',
      until_us: Math.floor(unixUs + leftUs),
      retry_in_ms: retryInMs,
    },
  });
};

export const queueFullError = (endpoint: string, limit: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `${limit} requests are already waiting for ${endpoint}`,
    details: { endpoint, limit },
  });

/** Other requests used the line for the maximum wait of this one. */
export const queuedTooLongError = (endpoint: string, unit: number, queuedMs: number): BusbarError =>
  new BusbarError('busy', {
    message: `Unit ${unit} was not polled: ${endpoint} was in use for ${queuedMs} ms`,
    details: { endpoint, unit, reason: 'line_in_use', queued_ms: queuedMs },
  });

export const linkError = (
  endpoint: string,
  reason: string,
  more: ErrorDetails = {},
  cause?: unknown,
): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: `The connection to ${endpoint} is down: ${reason}`,
    details: { endpoint, reason, ...more },
    retryable: retryableUnlessLasting(reason),
    cause,
  });

export const cancelledError = (reason: string): BusbarError =>
  new BusbarError('operation_cancelled', { details: { reason } });

export const reasonOf = (error: BusbarError): string => {
  const { reason } = error.details;
  return typeof reason === 'string' ? reason : error.code;
};
