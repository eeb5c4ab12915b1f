import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { FramingProblemKind } from '../framing/framing.ts';
import { exceptionName, exceptionText } from '../pdu/exception-codes.ts';

export const exceptionError = (unit: number, exception: number): BusbarError =>
  new BusbarError('modbus_exception', {
    message: `Unit ${unit} answered with ${exceptionText(exception)}`,
    details: { unit, exception, name: exceptionName(exception) },
  });

/** Silence, or nothing but the damage that the problem tells of. */
export const timeoutError = (
  unit: number,
  timeoutMs: number,
  problem: FramingProblemKind | undefined,
): BusbarError =>
  new BusbarError('modbus_timeout', {
    message: `Unit ${unit} did not answer within ${timeoutMs} ms`,
    details: { unit, timeout_ms: timeoutMs, ...(problem === undefined ? {} : { problem }) },
  });

/** The peer said something that is no answer; the link is not trusted any more. */
export const protocolError = (
  endpoint: string,
  unit: number,
  flaw: string,
  message: string,
): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: `${endpoint} breaks the protocol: ${message}`,
    details: { endpoint, unit, reason: 'protocol_error', flaw },
  });

export const linkError = (
  endpoint: string,
  reason: string,
  more: ErrorDetails = {},
  cause?: unknown,
): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: `The link to ${endpoint} is down: ${reason}`,
    details: { endpoint, reason, ...more },
    cause,
  });

export const cancelledError = (reason: string): BusbarError =>
  new BusbarError('operation_cancelled', { details: { reason } });

/** The reason inside of an error of a link. */
export const reasonOf = (error: BusbarError): string => {
  const { reason } = error.details;
  return typeof reason === 'string' ? reason : error.code;
};
