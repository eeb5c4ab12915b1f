import type { ErrorRow } from './error-row.ts';

/** Errors that valid requests can meet in the daemon, the operating system or the hardware. */
export const failures = {
  internal_error: {
    status: 500,
    exit: 1,
    message: 'Internal error',
    retryable: false,
    hint: 'See the daemon’s log, and please report it.',
  },
  output_failed: {
    status: 500,
    exit: 1,
    message: 'The output cannot be written',
    retryable: true,
    hint: 'The disk is full or the reader of the output has closed it.',
  },
  response_too_large: {
    status: 500,
    exit: 1,
    message: 'The response exceeds the size limit',
    retryable: false,
    hint: 'Request a smaller page.',
  },
  hardware_error: {
    status: 502,
    exit: 1,
    message: 'The device failed or was disconnected',
    retryable: true,
  },
  firmware_index_unreachable: {
    status: 502,
    exit: 1,
    message: 'The firmware index cannot be reached',
    retryable: true,
  },
  j1939_aborted: {
    status: 502,
    exit: 1,
    message: 'The J1939 transfer was aborted',
    retryable: true,
  },
  modbus_exception: {
    status: 502,
    exit: 1,
    message: 'The Modbus server returned an exception',
    retryable: false,
  },
  modbus_bad_reply: {
    status: 502,
    exit: 1,
    message: 'Invalid response on the Modbus connection',
    retryable: true,
    hint: 'Garbage and checksum errors often mean a wrong baud rate or parity.',
  },
  modbus_unreachable: {
    status: 502,
    exit: 1,
    message: 'The Modbus connection failed',
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
    hint: 'busbar daemon status shows whether one is running.',
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
    message: 'The running daemon has a different version',
    retryable: false,
    hint: 'busbar daemon stop stops the old one; the next start uses this version.',
  },
  hardware_timeout: {
    status: 504,
    exit: 1,
    message: 'The hardware did not respond in time',
    retryable: true,
  },
  j1939_timeout: {
    status: 504,
    exit: 1,
    message: 'The receiver of the J1939 transfer did not answer in time',
    retryable: true,
  },
  modbus_timeout: {
    status: 504,
    exit: 1,
    message: 'The Modbus server did not respond in time',
    retryable: true,
  },
  instance_unresponsive: {
    status: 504,
    exit: 1,
    message: 'A plugin call does not return and blocks the bench',
    retryable: true,
    hint: 'If it never returns, kill the daemon.',
  },
} as const satisfies Record<string, ErrorRow>;
