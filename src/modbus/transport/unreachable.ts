import { BusbarError } from '../../base/errors/busbar-error.ts';
import { retryableUnlessLasting } from '../../base/errors/lasting-reasons.ts';

const listening: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the address is in use (EADDRINUSE)'],
  ['EADDRNOTAVAIL', 'this machine has no such address (EADDRNOTAVAIL)'],
]);

/** The failed system call shows which step failed. */
const messageOf = (endpoint: string, reason: string, cause: unknown): string => {
  const call = cause instanceof Error && 'syscall' in cause ? cause.syscall : undefined;
  return call === 'listen'
    ? `Cannot listen on ${endpoint}: ${listening.get(reason) ?? reason}`
    : `Cannot reach ${endpoint}: ${reason}`;
};

export const unreachable = (endpoint: string, reason: string, cause?: unknown): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: messageOf(endpoint, reason, cause),
    details: { endpoint, reason },
    retryable: retryableUnlessLasting(reason),
    cause,
  });
