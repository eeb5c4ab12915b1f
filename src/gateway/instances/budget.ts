import { BusbarError } from '../../base/errors/busbar-error.ts';

const mebibyte = 1024 * 1024;

/** Limits for all instances together. Bytes are an estimate, not allocated memory. */
export const instanceLimits = {
  instances: 16,
  fileBytes: 128 * mebibyte,
  budgetBytes: 256 * mebibyte,
  rowBytes: 64,
} as const;

export interface LoadTicket {
  readonly reservation: number;
  readonly place: number;
  readonly charges: Int32Array;
}

export const newCharges = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(instanceLimits.instances * Int32Array.BYTES_PER_ELEMENT));

export const sumOf = (charges: Int32Array): number => charges.reduce((sum, each) => sum + each, 0);

export class LoadCharge {
  readonly #ticket: LoadTicket;
  #fileBytes = 0;

  constructor(ticket: LoadTicket) {
    this.#ticket = ticket;
  }

  opened(bytes: number): void {
    this.#fileBytes = bytes;
    this.#charge(bytes);
  }

  validated(rows: number): void {
    this.#charge(this.#fileBytes + rows * instanceLimits.rowBytes);
  }

  #charge(bytes: number): void {
    const { charges, place } = this.#ticket;
    const others = sumOf(charges) - Atomics.load(charges, place);
    if (others + bytes > instanceLimits.budgetBytes) throw budgetExceeded(bytes, others);
    Atomics.store(charges, place, bytes);
  }
}

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
    { maximum: instanceLimits.instances },
    true,
  );

export const fileTooLarge = (bytes: number, field = 'file'): BusbarError =>
  exceeded(
    `The file has ${bytes} bytes, more than ${instanceLimits.fileBytes}`,
    'file_bytes',
    { field, maximum: instanceLimits.fileBytes, bytes },
    false,
  );

/**
 * A saved project can exceed the file it was loaded from, because numbers are written with all
 * digits.
 */
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
    // Unloading other instances cannot free more than the whole budget.
    bytes <= instanceLimits.budgetBytes,
  );
