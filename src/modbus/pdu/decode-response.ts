import type { IdentityObject } from './device-identity.ts';
import { coilWords, exceptionFlag, identificationInterface } from './function-codes.ts';
import { packedLength } from './packed-bits.ts';
import type { Identify, ModbusRequest, WriteRequest } from './requests.ts';
import type {
  InvalidResponse,
  ModbusResponse,
  ResponseError,
  WrittenResponse,
} from './responses.ts';
import { wordAt } from './wire-words.ts';

const written: WrittenResponse = { kind: 'written' };

const invalid = (error: ResponseError, message: string): InvalidResponse => ({
  kind: 'invalid',
  error,
  message,
});

const hex = (code: number): string => `0x${code.toString(16).toUpperCase().padStart(2, '0')}`;

const otherLength = (length: number, expected: number): InvalidResponse =>
  invalid('length', `The response has ${length} bytes instead of ${expected}`);

const errorInData = (
  bytes: Uint8Array,
  at: number,
  length: number,
  expected: number,
): InvalidResponse | undefined => {
  if (length < 2) return otherLength(length, 2 + expected);
  const reported = bytes[at + 1] as number;
  if (reported !== expected) {
    return invalid(
      'byte_count',
      `The response announces ${reported} data bytes instead of ${expected}`,
    );
  }
  return length === 2 + expected ? undefined : otherLength(length, 2 + expected);
};

interface EchoedWord {
  readonly error: ResponseError;
  readonly word: number;
}

const echoedWords = (request: WriteRequest): readonly EchoedWord[] => {
  switch (request.kind) {
    case 'write_coil':
      return [{ error: 'value', word: request.on ? coilWords.on : coilWords.off }];
    case 'write_register':
      return [{ error: 'value', word: request.value }];
    case 'mask_write':
      return [
        { error: 'value', word: request.andMask },
        { error: 'value', word: request.orMask },
      ];
    default:
      return [{ error: 'count', word: request.count }];
  }
};

const decodeWritten = (
  request: WriteRequest,
  bytes: Uint8Array,
  at: number,
  length: number,
): ModbusResponse => {
  const expected = [{ error: 'address', word: request.address } as const, ...echoedWords(request)];
  if (length !== 1 + 2 * expected.length) return otherLength(length, 1 + 2 * expected.length);
  for (const [index, { error, word }] of expected.entries()) {
    const reported = wordAt(bytes, at + 1 + 2 * index);
    if (reported !== word)
      return invalid(error, `The response has ${error} ${reported}, not ${word}`);
  }
  return written;
};

const identityHeader = 7;

const decodeIdentity = (
  request: Identify,
  bytes: Uint8Array,
  at: number,
  length: number,
): ModbusResponse => {
  if (length < identityHeader) return otherLength(length, identityHeader);
  if (bytes[at + 1] !== identificationInterface) {
    return invalid('interface', `The response has the interface ${hex(bytes[at + 1] as number)}`);
  }
  if (bytes[at + 2] !== request.code) {
    return invalid('value', `The response has the read code ${bytes[at + 2]}, not ${request.code}`);
  }
  const end = at + length;
  const objects: IdentityObject[] = [];
  let next = at + identityHeader;
  for (let left = bytes[at + 6] as number; left > 0; left--) {
    const valueEnd = next + 2 + (bytes[next + 1] ?? 0);
    if (next + 2 > end || valueEnd > end) {
      return invalid('objects', 'The response is truncated within its objects');
    }
    objects.push({ id: bytes[next] as number, value: bytes.slice(next + 2, valueEnd) });
    next = valueEnd;
  }
  if (next !== end) return invalid('objects', 'The response has extra bytes after its objects');
  const conformity = bytes[at + 3] as number;
  if (bytes[at + 4] === 0) return { kind: 'identity', conformity, objects, nextObjectId: null };
  const nextObjectId = bytes[at + 5] as number;
  // Otherwise a device could keep its client in an endless loop.
  if (objects.length === 0 || objects.some(({ id }) => id >= nextObjectId)) {
    return invalid('objects', `The response points back to object ${nextObjectId}`);
  }
  return { kind: 'identity', conformity, objects, nextObjectId };
};

/**
 * Parses the PDU of a response to a request. Returns `invalid` with the wrong part if the PDU
 * is neither a response nor an exception. Data stays in `bytes`.
 */
export const decodeResponse = (
  request: ModbusRequest,
  bytes: Uint8Array,
  at: number,
  length: number,
): ModbusResponse => {
  if (length < 1) return otherLength(length, 1);
  const code = bytes[at] as number;
  if (code === (request.function | exceptionFlag)) {
    return length === 2
      ? { kind: 'exception', exception: bytes[at + 1] as number }
      : otherLength(length, 2);
  }
  if (code !== request.function) {
    const message = `The response has function ${hex(code)}, not ${hex(request.function)}`;
    return invalid('function', message);
  }
  switch (request.kind) {
    case 'read_bits': {
      const { count } = request;
      const error = errorInData(bytes, at, length, packedLength(count));
      return error ?? { kind: 'bits', count, data: bytes, dataAt: at + 2 };
    }
    case 'read_registers':
    case 'read_write_registers': {
      const { count } = request;
      const error = errorInData(bytes, at, length, 2 * count);
      return error ?? { kind: 'registers', count, data: bytes, dataAt: at + 2 };
    }
    case 'identify':
      return decodeIdentity(request, bytes, at, length);
    default:
      return decodeWritten(request, bytes, at, length);
  }
};
