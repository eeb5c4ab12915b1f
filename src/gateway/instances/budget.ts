import { BusbarError } from '../../base/errors/busbar-error.ts';

const mebibyte = 1024 * 1024;

/** What instances may take together. The bytes are a measure, not what the system counts. */
export const instanceLimits = {
  instances: 16,
  fileBytes: 128 * mebibyte,
  budgetBytes: 256 * mebibyte,
  /** Charged for each row of a project beside the bytes of its file. */
  rowBytes: 64,
} as const;

/** What a project is charged. */
export const chargeOf = (fileBytes: number, rows: number): number =>
  fileBytes + rows * instanceLimits.rowBytes;

const exceeded = (
  message: string,
  limit: string,
  details: object,
  retryable: boolean,
): BusbarError =>
  new BusbarError('capacity_exceeded', { message, details: { limit, ...details }, retryable });

export const tooManyInstances = (): BusbarError =>
  exceeded(
    `${instanceLimits.instances} instances are loaded or being loaded`,
    'instances',
    {
      maximum: instanceLimits.instances,
    },
    true,
  );

export const fileTooLarge = (bytes: number, field = 'file'): BusbarError =>
  exceeded(
    `The file has ${bytes} bytes, more than ${instanceLimits.fileBytes}`,
    'file_bytes',
    {
      field,
      maximum: instanceLimits.fileBytes,
      bytes,
    },
    false,
  );

/** Numbers are saved with all their digits, which may be more than the file has. */
export const savedTooLarge = (field: string): BusbarError =>
  exceeded(
    `The project would have more than ${instanceLimits.fileBytes} bytes when it is saved`,
    'file_bytes',
    { field, maximum: instanceLimits.fileBytes },
    false,
  );

export const budgetExceeded = (bytes: number, taken: number): BusbarError =>
  exceeded(
    `The project is charged ${bytes} bytes, and ${instanceLimits.budgetBytes - taken} of ${instanceLimits.budgetBytes} are left`,
    'memory_budget_bytes',
    { maximum: instanceLimits.budgetBytes, bytes, available: instanceLimits.budgetBytes - taken },
    // Others can be unloaded, but never enough for what is more than the whole budget.
    bytes <= instanceLimits.budgetBytes,
  );
