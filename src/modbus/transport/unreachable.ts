import { BusbarError } from '../../base/errors/busbar-error.ts';

/** An end point that could not be had; the reason is an errno name or a word of ours. */
export const unreachable = (endpoint: string, reason: string, cause?: unknown): BusbarError =>
  new BusbarError('modbus_unreachable', {
    message: `${endpoint} could not be reached: ${reason}`,
    details: { endpoint, reason },
    cause,
  });

/** The errno name of what a system call threw. */
export const errnoOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
};
