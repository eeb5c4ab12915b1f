import type { ErrorRow } from './error-row.ts';

/** Failures of the daemon or beyond; the request was valid. */
export const failures = {
  internal_error: {
    status: 500,
    exit: 1,
    message: 'Busbar failed in a way it should not',
    retryable: false,
    hint: 'The daemon’s log says where; please report that.',
  },
  output_failed: {
    status: 500,
    exit: 1,
    message: 'The answer cannot be written',
    retryable: true,
    hint: 'The disk or the program behind the output takes no more.',
  },
  response_too_large: {
    status: 500,
    exit: 1,
    message: 'The answer is larger than the limit for responses',
    retryable: false,
    hint: 'Ask for a smaller page.',
  },
  hardware_error: {
    status: 502,
    exit: 1,
    message: 'The device failed or is gone',
    retryable: true,
  },
  firmware_index_unreachable: {
    status: 502,
    exit: 1,
    message: 'The firmware index cannot be reached',
    retryable: true,
  },
  modbus_exception: {
    status: 502,
    exit: 1,
    message: 'The Modbus server answered with an exception',
    retryable: false,
  },
  modbus_bad_reply: {
    status: 502,
    exit: 1,
    message: 'What came over the Modbus link is no answer to the request',
    retryable: true,
    hint: 'Garbage and wrong checksums often mean a wrong baud rate or parity.',
  },
  modbus_unreachable: {
    status: 502,
    exit: 1,
    message: 'The Modbus link could not be made or broke',
    retryable: true,
  },
  too_many_clients: {
    status: 503,
    exit: 1,
    message: 'The limit of simultaneous clients is reached',
    retryable: true,
  },
  daemon_unreachable: {
    status: 503,
    exit: 3,
    message: 'The daemon cannot be reached',
    retryable: true,
    hint: 'busbar daemon status tells whether one is running.',
  },
  daemon_start_failed: {
    status: 503,
    exit: 3,
    message: 'The daemon could not be started',
    retryable: false,
  },
  version_mismatch: {
    status: 503,
    exit: 3,
    message: 'The running daemon is of another version',
    retryable: false,
    hint: 'busbar daemon stop ends the old one; the next start uses this version.',
  },
  hardware_timeout: {
    status: 504,
    exit: 1,
    message: 'The hardware did not answer in time',
    retryable: true,
  },
  modbus_timeout: {
    status: 504,
    exit: 1,
    message: 'The Modbus server did not answer in time',
    retryable: true,
  },
  instance_unresponsive: {
    status: 504,
    exit: 1,
    message: 'A plugin does not return, and everything on the bench waits for it',
    retryable: true,
    hint: 'If it never returns, the daemon has to be ended.',
  },
} as const satisfies Record<string, ErrorRow>;
