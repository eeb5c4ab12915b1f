import { packedLength } from './packed-bits.ts';
import type { ModbusRequest } from './requests.ts';

/** PDU length of the response; 0 if it depends on the device. */
export const answerLength = (request: ModbusRequest): number => {
  switch (request.kind) {
    case 'read_bits':
      return 2 + packedLength(request.count);
    case 'read_registers':
    case 'read_write_registers':
      return 2 + 2 * request.count;
    case 'mask_write':
      return 7;
    case 'identify':
      return 0;
    default:
      return 5;
  }
};

/**
 * Returns whether a response to one request could be mistaken for a response to the other.
 * Exceptions are ignored because they only contain the function.
 */
export const answersAlike = (one: ModbusRequest, other: ModbusRequest): boolean => {
  if (one.function !== other.function) return false;
  switch (one.kind) {
    case 'write_coil':
      return other.kind === one.kind && one.address === other.address && one.on === other.on;
    case 'write_register':
      return other.kind === one.kind && one.address === other.address && one.value === other.value;
    case 'write_coils':
    case 'write_registers':
      return other.kind === one.kind && one.address === other.address && one.count === other.count;
    case 'mask_write':
      return (
        other.kind === one.kind &&
        one.address === other.address &&
        one.andMask === other.andMask &&
        one.orMask === other.orMask
      );
    case 'identify':
      return other.kind === one.kind && one.code === other.code;
    default:
      return answerLength(one) === answerLength(other);
  }
};
