import { coilWords, identificationInterface } from './function-codes.ts';
import { packedLength } from './packed-bits.ts';
import type { ModbusRequest } from './requests.ts';
import { putWord } from './wire-words.ts';

const putData = (
  into: Uint8Array,
  at: number,
  { data, dataAt }: { readonly data: Uint8Array; readonly dataAt: number },
  length: number,
): number => {
  into[at] = length;
  for (let i = 0; i < length; i++) into[at + 1 + i] = data[dataAt + i] as number;
  return 1 + length;
};

export const encodeRequest = (into: Uint8Array, at: number, request: ModbusRequest): number => {
  into[at] = request.function;
  if (request.kind === 'identify') {
    into[at + 1] = identificationInterface;
    into[at + 2] = request.code;
    into[at + 3] = request.objectId;
    return 4;
  }
  putWord(into, at + 1, request.address);
  switch (request.kind) {
    case 'read_bits':
    case 'read_registers':
      putWord(into, at + 3, request.count);
      return 5;
    case 'write_coil':
      putWord(into, at + 3, request.on ? coilWords.on : coilWords.off);
      return 5;
    case 'write_register':
      putWord(into, at + 3, request.value);
      return 5;
    case 'write_coils':
      putWord(into, at + 3, request.count);
      return 5 + putData(into, at + 5, request, packedLength(request.count));
    case 'write_registers':
      putWord(into, at + 3, request.count);
      return 5 + putData(into, at + 5, request, 2 * request.count);
    case 'mask_write':
      putWord(into, at + 3, request.andMask);
      putWord(into, at + 5, request.orMask);
      return 7;
    case 'read_write_registers':
      putWord(into, at + 3, request.count);
      putWord(into, at + 5, request.writeAddress);
      putWord(into, at + 7, request.writeCount);
      return 9 + putData(into, at + 9, request, 2 * request.writeCount);
  }
};
