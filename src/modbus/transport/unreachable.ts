import { BusbarError } from '../../base/errors/busbar-error.ts';
import { retryableUnlessLasting } from '../../base/errors/lasting-reasons.ts';

/** Reasons that need a word for users who want to listen. */
const listening: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the address is in use (EADDRINUSE)'],
  ['EADDRNOTAVAIL', 'this machine has no such address (EADDRNOTAVAIL)'],
]);

/** A system call that fails says which one it was, and so what could not be done. */
const messageOf = (endpoint: string, reason: string, cause: unknown): string => {
  const call = cause instanceof Error && 'syscall' in cause ? cause.syscall : undefined;
  return call === 'listen'
    ? `Cannot listen at ${endpoint}: ${listening.get(reason) ?? reason}`
    : `${endpoint} could not be reached: ${reason}`;
};

/** An end point that could not be had; the reason is an errno name or a word of ours. */
export const unreachable = (endpoint: string, reason: string, cause?: unknown): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: messageOf(endpoint, reason, cause),
    details: { endpoint, reason },
    retryable: retryableUnlessLasting(reason),
    cause,
  });
