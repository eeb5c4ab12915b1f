import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, tableRows } from './data-tables.ts';
import { addressSpace, functionCodes, limits } from './function-codes.ts';
import { packedLength } from './packed-bits.ts';
import type {
  IdentificationCode,
  Identify,
  MaskWrite,
  ReadBits,
  ReadRegisters,
  ReadWriteRegisters,
  WriteCoil,
  WriteCoils,
  WriteRegister,
  WriteRegisters,
} from './requests.ts';
import { writeRegisters } from './wire-words.ts';

const requireWithin = (field: string, value: number, lowest: number, highest: number): number => {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  throw invalidArgument(field, `${field} is an integer from ${lowest} to ${highest}`, {
    reason: 'range',
    minimum: lowest,
    maximum: highest,
  });
};

const requireWord = (field: string, value: number): number =>
  requireWithin(field, value, 0, 0xffff);

const requireItems = (address: number, count: number, limit: number, prefix = ''): void => {
  const addressField = prefix === '' ? 'address' : `${prefix}_address`;
  const countField = prefix === '' ? 'count' : `${prefix}_count`;
  requireWord(addressField, address);
  requireWithin(countField, count, 1, limit);
  if (address + count <= addressSpace) return;
  throw invalidArgument(countField, `${count} items from address ${address} exceed address 65535`, {
    reason: 'range',
    maximum: addressSpace - address,
  });
};

const wireBytes = (registers: Uint16Array): Uint8Array => {
  const data = new Uint8Array(2 * registers.length);
  writeRegisters(data, 0, registers, 0, registers.length);
  return data;
};

/**
 * Client requests. Each function rejects a request that no server could serve and names the
 * argument, so every request can be encoded.
 */

export const readRequest = (
  table: DataTable,
  address: number,
  count: number,
): ReadBits | ReadRegisters => {
  const { readFunction } = tableRows[table];
  if (
    readFunction === functionCodes.readCoils ||
    readFunction === functionCodes.readDiscreteInputs
  ) {
    requireItems(address, count, limits.readBits);
    return { kind: 'read_bits', function: readFunction, address, count };
  }
  requireItems(address, count, limits.readRegisters);
  return { kind: 'read_registers', function: readFunction, address, count };
};

export const requireWritable = (table: DataTable, field = 'table'): void => {
  if (tableRows[table].isWritable) return;
  throw invalidArgument(field, `The ${table} table cannot be written`, { reason: 'not_writable' });
};

export const writeCoilRequest = (address: number, on: boolean): WriteCoil => ({
  kind: 'write_coil',
  function: functionCodes.writeCoil,
  address: requireWord('address', address),
  on,
});

export const writeRegisterRequest = (address: number, value: number): WriteRegister => ({
  kind: 'write_register',
  function: functionCodes.writeRegister,
  address: requireWord('address', address),
  value: requireWord('value', value),
});

/** Bits are packed. Those beyond `count` are ignored. */
export const writeCoilsRequest = (
  address: number,
  count: number,
  packed: Uint8Array,
): WriteCoils => {
  requireItems(address, count, limits.writeBits);
  const length = packedLength(count);
  if (packed.length < length) {
    throw invalidArgument('value', `${count} coils take ${length} bytes`, { reason: 'too_short' });
  }
  const data = packed.slice(0, length);
  const used = count & 7;
  // Unused bits of the last byte are sent as zeros.
  if (used !== 0) data[length - 1] = (data[length - 1] as number) & ((1 << used) - 1);
  return {
    kind: 'write_coils',
    function: functionCodes.writeCoils,
    address,
    count,
    data,
    dataAt: 0,
  };
};

export const writeRegistersRequest = (address: number, registers: Uint16Array): WriteRegisters => {
  requireItems(address, registers.length, limits.writeRegisters);
  return {
    kind: 'write_registers',
    function: functionCodes.writeRegisters,
    address,
    count: registers.length,
    data: wireBytes(registers),
    dataAt: 0,
  };
};

export const maskWriteRequest = (address: number, andMask: number, orMask: number): MaskWrite => ({
  kind: 'mask_write',
  function: functionCodes.maskWriteRegister,
  address: requireWord('address', address),
  andMask: requireWord('and_mask', andMask),
  orMask: requireWord('or_mask', orMask),
});

export const readWriteRequest = (
  address: number,
  count: number,
  writeAddress: number,
  registers: Uint16Array,
): ReadWriteRegisters => {
  requireItems(address, count, limits.readRegisters);
  requireItems(writeAddress, registers.length, limits.readWriteRegisters, 'write');
  return {
    kind: 'read_write_registers',
    function: functionCodes.readWriteRegisters,
    address,
    count,
    writeAddress,
    writeCount: registers.length,
    data: wireBytes(registers),
    dataAt: 0,
  };
};

export const identifyRequest = (code: IdentificationCode, objectId = 0): Identify => ({
  kind: 'identify',
  function: functionCodes.encapsulated,
  code,
  objectId: requireWithin('object_id', objectId, 0, 0xff),
});
