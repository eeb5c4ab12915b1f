import type { functionCodes } from './function-codes.ts';

/**
 * Requests as values, the same for client and server. Data to write stays in wire format, at
 * `dataAt` of `data`.
 */

export interface ReadBits {
  readonly kind: 'read_bits';
  readonly function: 1 | 2;
  readonly address: number;
  readonly count: number;
}

export interface ReadRegisters {
  readonly kind: 'read_registers';
  readonly function: 3 | 4;
  readonly address: number;
  readonly count: number;
}

export interface WriteCoil {
  readonly kind: 'write_coil';
  readonly function: typeof functionCodes.writeCoil;
  readonly address: number;
  readonly on: boolean;
}

export interface WriteRegister {
  readonly kind: 'write_register';
  readonly function: typeof functionCodes.writeRegister;
  readonly address: number;
  readonly value: number;
}

export interface WriteCoils {
  readonly kind: 'write_coils';
  readonly function: typeof functionCodes.writeCoils;
  readonly address: number;
  readonly count: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

export interface WriteRegisters {
  readonly kind: 'write_registers';
  readonly function: typeof functionCodes.writeRegisters;
  readonly address: number;
  readonly count: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

export interface MaskWrite {
  readonly kind: 'mask_write';
  readonly function: typeof functionCodes.maskWriteRegister;
  readonly address: number;
  readonly andMask: number;
  readonly orMask: number;
}

/** The write is executed before the read. */
export interface ReadWriteRegisters {
  readonly kind: 'read_write_registers';
  readonly function: typeof functionCodes.readWriteRegisters;
  readonly address: number;
  readonly count: number;
  readonly writeAddress: number;
  readonly writeCount: number;
  readonly data: Uint8Array;
  readonly dataAt: number;
}

/** All basic, regular or extended objects, or a single one. */
export type IdentificationCode = 1 | 2 | 3 | 4;

export interface Identify {
  readonly kind: 'identify';
  readonly function: typeof functionCodes.encapsulated;
  readonly code: IdentificationCode;
  readonly objectId: number;
}

/** Requests whose response repeats part of them. */
export type WriteRequest = WriteCoil | WriteRegister | WriteCoils | WriteRegisters | MaskWrite;

export type ModbusRequest = ReadBits | ReadRegisters | WriteRequest | ReadWriteRegisters | Identify;

export const maskedValue = (old: number, andMask: number, orMask: number): number =>
  ((old & andMask) | (orMask & ~andMask)) & 0xffff;
