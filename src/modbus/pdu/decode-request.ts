import { exceptionCodes } from './exception-codes.ts';
import {
  addressSpace,
  allFunctions,
  coilWords,
  functionCodes,
  identificationInterface,
  limits,
} from './function-codes.ts';
import { packedLength } from './packed-bits.ts';
import type { IdentificationCode, ModbusRequest } from './requests.ts';
import { wordAt } from './wire-words.ts';

/** A request that gets an exception regardless of the data. */
export interface RefusedRequest {
  readonly kind: 'refused';
  readonly function: number;
  readonly exception: number;
}

const refused = (functionCode: number, exception: number): RefusedRequest => ({
  kind: 'refused',
  function: functionCode,
  exception,
});

const badValue = (functionCode: number): RefusedRequest =>
  refused(functionCode, exceptionCodes.illegal_data_value);

const badAddress = (functionCode: number): RefusedRequest =>
  refused(functionCode, exceptionCodes.illegal_data_address);

const isCount = (count: number, limit: number): boolean => count >= 1 && count <= limit;

const fits = (address: number, count: number): boolean => address + count <= addressSpace;

type Decoder = (bytes: Uint8Array, at: number, length: number) => ModbusRequest | RefusedRequest;

const read =
  (code: number, limit: number, make: (address: number, count: number) => ModbusRequest): Decoder =>
  (bytes, at, length) => {
    const address = wordAt(bytes, at + 1);
    const count = wordAt(bytes, at + 3);
    if (length !== 5 || !isCount(count, limit)) return badValue(code);
    if (!fits(address, count)) return badAddress(code);
    return make(address, count);
  };

const readBits = (code: 1 | 2): Decoder =>
  read(code, limits.readBits, (address, count) => ({
    kind: 'read_bits',
    function: code,
    address,
    count,
  }));

const readRegisters = (code: 3 | 4): Decoder =>
  read(code, limits.readRegisters, (address, count) => ({
    kind: 'read_registers',
    function: code,
    address,
    count,
  }));

const writeCoil: Decoder = (bytes, at, length) => {
  const code = functionCodes.writeCoil;
  const word = wordAt(bytes, at + 3);
  if (length !== 5 || (word !== coilWords.on && word !== coilWords.off)) return badValue(code);
  const address = wordAt(bytes, at + 1);
  return { kind: 'write_coil', function: code, address, on: word === coilWords.on };
};

const writeRegister: Decoder = (bytes, at, length) => {
  const code = functionCodes.writeRegister;
  if (length !== 5) return badValue(code);
  const address = wordAt(bytes, at + 1);
  return { kind: 'write_register', function: code, address, value: wordAt(bytes, at + 3) };
};

const carries = (
  bytes: Uint8Array,
  at: number,
  countAt: number,
  needed: number,
  length: number,
): boolean => bytes[at + countAt] === needed && length === countAt + 1 + needed;

const writeCoils: Decoder = (bytes, at, length) => {
  const code = functionCodes.writeCoils;
  const address = wordAt(bytes, at + 1);
  const count = wordAt(bytes, at + 3);
  if (!isCount(count, limits.writeBits)) return badValue(code);
  if (!carries(bytes, at, 5, packedLength(count), length)) return badValue(code);
  if (!fits(address, count)) return badAddress(code);
  return { kind: 'write_coils', function: code, address, count, data: bytes, dataAt: at + 6 };
};

const writeRegisters: Decoder = (bytes, at, length) => {
  const code = functionCodes.writeRegisters;
  const address = wordAt(bytes, at + 1);
  const count = wordAt(bytes, at + 3);
  if (!isCount(count, limits.writeRegisters)) return badValue(code);
  if (!carries(bytes, at, 5, 2 * count, length)) return badValue(code);
  if (!fits(address, count)) return badAddress(code);
  return { kind: 'write_registers', function: code, address, count, data: bytes, dataAt: at + 6 };
};

const maskWrite: Decoder = (bytes, at, length) => {
  const code = functionCodes.maskWriteRegister;
  if (length !== 7) return badValue(code);
  return {
    kind: 'mask_write',
    function: code,
    address: wordAt(bytes, at + 1),
    andMask: wordAt(bytes, at + 3),
    orMask: wordAt(bytes, at + 5),
  };
};

const readWriteRegisters: Decoder = (bytes, at, length) => {
  const code = functionCodes.readWriteRegisters;
  const address = wordAt(bytes, at + 1);
  const count = wordAt(bytes, at + 3);
  const writeAddress = wordAt(bytes, at + 5);
  const writeCount = wordAt(bytes, at + 7);
  if (!isCount(count, limits.readRegisters)) return badValue(code);
  if (!isCount(writeCount, limits.readWriteRegisters)) return badValue(code);
  if (!carries(bytes, at, 9, 2 * writeCount, length)) return badValue(code);
  if (!fits(address, count) || !fits(writeAddress, writeCount)) return badAddress(code);
  return {
    kind: 'read_write_registers',
    function: code,
    address,
    count,
    writeAddress,
    writeCount,
    data: bytes,
    dataAt: at + 10,
  };
};

const isIdentificationCode = (code: number): code is IdentificationCode => code >= 1 && code <= 4;

const identify: Decoder = (bytes, at, length) => {
  const code = functionCodes.encapsulated;
  if (length < 2) return badValue(code);
  // Other encapsulated interfaces are unsupported functions.
  if (bytes[at + 1] !== identificationInterface) {
    return refused(code, exceptionCodes.illegal_function);
  }
  const readCode = bytes[at + 2] ?? 0;
  if (length !== 4 || !isIdentificationCode(readCode)) return badValue(code);
  return { kind: 'identify', function: code, code: readCode, objectId: bytes[at + 3] as number };
};

const decoders: ReadonlyMap<number, Decoder> = new Map([
  [functionCodes.readCoils, readBits(functionCodes.readCoils)],
  [functionCodes.readDiscreteInputs, readBits(functionCodes.readDiscreteInputs)],
  [functionCodes.readHoldingRegisters, readRegisters(functionCodes.readHoldingRegisters)],
  [functionCodes.readInputRegisters, readRegisters(functionCodes.readInputRegisters)],
  [functionCodes.writeCoil, writeCoil],
  [functionCodes.writeRegister, writeRegister],
  [functionCodes.writeCoils, writeCoils],
  [functionCodes.writeRegisters, writeRegisters],
  [functionCodes.maskWriteRegister, maskWrite],
  [functionCodes.readWriteRegisters, readWriteRegisters],
  [functionCodes.encapsulated, identify],
]);

/**
 * Parses the PDU of a request in the order of the application protocol: function, counts and
 * values, addresses. Returns the exception for the first error. Data to write stays in `bytes`.
 */
export const decodeRequest = (
  bytes: Uint8Array,
  at: number,
  length: number,
  supported: ReadonlySet<number> = allFunctions,
): ModbusRequest | RefusedRequest => {
  const code = length > 0 ? (bytes[at] as number) : 0;
  const decode = supported.has(code) ? decoders.get(code) : undefined;
  if (decode === undefined) {
    return refused(code, exceptionCodes.illegal_function);
  }
  return decode(bytes, at, length);
};
