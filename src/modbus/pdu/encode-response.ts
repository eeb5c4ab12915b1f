import {
  type DeviceIdentity,
  type IdentityObject,
  lastBasicObject,
  lastRegularObject,
} from './device-identity.ts';
import { exceptionCodes } from './exception-codes.ts';
import {
  coilWords,
  exceptionFlag,
  functionCodes,
  identificationInterface,
  maxPduLength,
} from './function-codes.ts';
import type { IdentificationCode, Identify, WriteRequest } from './requests.ts';
import { putWord } from './wire-words.ts';

export const readHeadLength = 2;

/** Completes the response to a read whose data is already in place after the header. */
export const encodeRead = (
  into: Uint8Array,
  at: number,
  functionCode: number,
  readLength: number,
): number => {
  into[at] = functionCode;
  into[at + 1] = readLength;
  return readHeadLength + readLength;
};

const secondWord = (request: WriteRequest): number => {
  switch (request.kind) {
    case 'write_coil':
      return request.on ? coilWords.on : coilWords.off;
    case 'write_register':
      return request.value;
    case 'mask_write':
      return request.andMask;
    default:
      return request.count;
  }
};

/** The response to a write, which repeats the request without its data. */
export const encodeWritten = (into: Uint8Array, at: number, request: WriteRequest): number => {
  into[at] = request.function;
  putWord(into, at + 1, request.address);
  putWord(into, at + 3, secondWord(request));
  if (request.kind !== 'mask_write') return 5;
  putWord(into, at + 5, request.orMask);
  return 7;
};

export const encodeException = (
  into: Uint8Array,
  at: number,
  functionCode: number,
  exception: number,
): number => {
  into[at] = functionCode | exceptionFlag;
  into[at + 1] = exception;
  return 2;
};

const lastObjectOf: Readonly<Record<Exclude<IdentificationCode, 4>, number>> = {
  1: lastBasicObject,
  2: lastRegularObject,
  3: 0xff,
};

const objectsFor = (
  { code, objectId }: Identify,
  { objects }: DeviceIdentity,
): readonly IdentityObject[] => {
  if (code === 4) return objects.filter(({ id }) => id === objectId);
  const ofCategory = objects.filter(({ id }) => id <= lastObjectOf[code]);
  const start = ofCategory.findIndex(({ id }) => id === objectId);
  // According to the protocol, an unknown start object restarts at the first.
  return start === -1 ? ofCategory : ofCategory.slice(start);
};

const headerLength = 7;

export const encodeIdentity = (
  into: Uint8Array,
  at: number,
  request: Identify,
  identity: DeviceIdentity,
): number => {
  const objects = objectsFor(request, identity);
  if (request.code === 4 && objects.length === 0) {
    return encodeException(into, at, request.function, exceptionCodes.illegal_data_address);
  }
  let length = headerLength;
  let reported = 0;
  for (const { id, value } of objects) {
    if (length + 2 + value.length > maxPduLength) break;
    into[at + length] = id;
    into[at + length + 1] = value.length;
    into.set(value, at + length + 2);
    length += 2 + value.length;
    reported += 1;
  }
  const next = objects[reported];
  into[at] = functionCodes.encapsulated;
  into[at + 1] = identificationInterface;
  into[at + 2] = request.code;
  into[at + 3] = identity.conformity;
  into[at + 4] = next === undefined ? 0x00 : 0xff;
  into[at + 5] = next?.id ?? 0;
  into[at + 6] = reported;
  return length;
};
