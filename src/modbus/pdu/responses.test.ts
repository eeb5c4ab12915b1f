import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';
import { encodeException, encodeRead, encodeWritten, readHeadLength } from './encode-response.ts';
import { maxPduLength } from './function-codes.ts';
import {
  identifyRequest,
  maskWriteRequest,
  readRequest,
  readWriteRequest,
  writeCoilRequest,
  writeCoilsRequest,
  writeRegisterRequest,
  writeRegistersRequest,
} from './make-request.ts';
import { alignBits, bitAt, packBits } from './packed-bits.ts';
import type { ModbusRequest, WriteRequest } from './requests.ts';
import type { ModbusResponse } from './responses.ts';
import { arbitraryRequest } from './testing/arbitrary-requests.ts';
import { bytesOf, hexOf } from './testing/bytes-of.ts';
import { readRegisters, writeRegisters } from './wire-words.ts';

const decoded = (request: ModbusRequest, hex: string): ModbusResponse => {
  const bytes = bytesOf(hex);
  return decodeResponse(request, bytes, 0, bytes.length);
};

const errorOf = (request: ModbusRequest, hex: string): string => {
  const response = decoded(request, hex);
  if (response.kind !== 'invalid') return response.kind;
  expect(response.message).toMatch(/^The response .+/);
  return response.error;
};

describe('reading bits', () => {
  /** The response with bits at any offset. */
  const encodeBits = (
    into: Uint8Array,
    at: number,
    code: number,
    bits: Uint8Array,
    firstBit: number,
    count: number,
  ): number =>
    encodeRead(into, at, code, alignBits(bits, firstBit, count, into, at + readHeadLength));

  it('answers with bits from anywhere in memory, the first one lowest', () => {
    const bits = [true, false, true, true, false, false, true, true, true, false, true, false];
    for (let first = 0; first < 20; first++) {
      const memory = packBits([...new Array(first).fill(true), ...bits, true, true, true]);
      const into = new Uint8Array(10).fill(0xee);
      expect(encodeBits(into, 2, 1, memory, first, bits.length)).toBe(4);
      expect(hexOf(into)).toBe('EEEE0102CD05EEEEEEEE');
    }
  });

  it('brings the bits of the whole range to the client', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 2000 }),
        fc.nat(30),
        (bits, first) => {
          const memory = packBits([...new Array(first).fill(true), ...bits]);
          const into = new Uint8Array(maxPduLength);
          const length = encodeBits(into, 0, 2, memory, first, bits.length);
          const response = decodeResponse(readRequest('discrete', 0, bits.length), into, 0, length);
          if (response.kind !== 'bits') throw new TypeError(response.kind);
          const { data, dataAt, count } = response;
          const read = Array.from({ length: count }, (_, index) => bitAt(data, 8 * dataAt + index));
          expect(read).toEqual(bits);
        },
      ),
      { seed: 502, numRuns: 100 },
    );
  });

  it('refuses other byte counts and lengths', () => {
    const request = readRequest('coil', 0, 10);
    expect(decoded(request, '01 02 CD01')).toMatchObject({ kind: 'bits', count: 10, dataAt: 2 });
    expect(errorOf(request, '01 01 CD')).toBe('byte_count');
    expect(errorOf(request, '01 03 CD0100')).toBe('byte_count');
    expect(errorOf(request, '01 02 CD')).toBe('length');
    expect(errorOf(request, '01 02 CD0100')).toBe('length');
    expect(errorOf(request, '01')).toBe('length');
  });
});

describe('reading registers', () => {
  it.each([
    ['03', readRequest('holding', 0, 2)],
    ['04', readRequest('input', 0, 2)],
    ['17', readWriteRequest(0, 2, 0, Uint16Array.of(1))],
  ])('answers function %s with registers, high byte first', (code, request) => {
    const into = new Uint8Array(10);
    const memory = Uint16Array.of(0xffff, 6, 0x0501, 0xffff);
    const read = writeRegisters(into, 3 + readHeadLength, memory, 1, 2);
    const length = encodeRead(into, 3, request.function, read);
    expect(hexOf(into.subarray(3, 3 + length))).toBe(`${code}0400060501`);
    const response = decodeResponse(request, into, 3, length);
    if (response.kind !== 'registers') throw new TypeError(response.kind);
    const values = new Uint16Array(3);
    readRegisters(response.data, response.dataAt, response.count, values, 1);
    expect([...values]).toEqual([0, 6, 0x0501]);
  });

  it('carries 125 of them in the longest PDU but one', () => {
    const into = new Uint8Array(maxPduLength);
    const memory = new Uint16Array(125).fill(0x1234);
    const read = writeRegisters(into, readHeadLength, memory, 0, 125);
    expect(encodeRead(into, 0, 3, read)).toBe(252);
    expect(decodeResponse(readRequest('holding', 0, 125), into, 0, 252)).toMatchObject({
      kind: 'registers',
      count: 125,
    });
  });

  it('refuses other byte counts and lengths', () => {
    const request = readRequest('holding', 0, 2);
    expect(errorOf(request, '03 02 0006')).toBe('byte_count');
    expect(errorOf(request, '03 06 0006 0005 0004')).toBe('byte_count');
    expect(errorOf(request, '03 05 0006 0005')).toBe('byte_count');
    expect(errorOf(request, '03 04 0006 00')).toBe('length');
    expect(errorOf(request, '03 04 0006 0005 00')).toBe('length');
  });
});

describe('writing', () => {
  const coils = writeCoilsRequest(0x13, 10, Uint8Array.of(0xcd, 0x01));
  const registers = writeRegistersRequest(1, Uint16Array.of(10, 0x0102));

  it.each<[WriteRequest, string]>([
    [writeCoilRequest(0xac, true), '05 00AC FF00'],
    [writeCoilRequest(0xac, false), '05 00AC 0000'],
    [writeRegisterRequest(1, 3), '06 0001 0003'],
    [coils, '0F 0013 000A'],
    [registers, '10 0001 0002'],
    [maskWriteRequest(4, 0xf2, 0x25), '16 0004 00F2 0025'],
  ])('is answered by repeating what was asked: %o', (request, hex) => {
    const into = new Uint8Array(12).fill(0xee);
    const length = encodeWritten(into, 1, request);
    expect(hexOf(into.subarray(1, 1 + length))).toBe(hex.replaceAll(' ', ''));
    expect(into[1 + length]).toBe(0xee);
    expect(decodeResponse(request, into, 1, length)).toEqual({ kind: 'written' });
    expect(errorOf(request, hex.slice(0, -2))).toBe('length');
    expect(errorOf(request, `${hex} 00`)).toBe('length');
  });

  it.each<[string, ModbusRequest, string]>([
    ['address', writeCoilRequest(0xac, true), '05 00AD FF00'],
    ['value', writeCoilRequest(0xac, true), '05 00AC 0000'],
    ['address', writeRegisterRequest(1, 3), '06 0101 0003'],
    ['value', writeRegisterRequest(1, 3), '06 0001 0103'],
    ['address', coils, '0F 0014 000A'],
    ['count', coils, '0F 0013 000B'],
    ['address', registers, '10 0002 0002'],
    ['count', registers, '10 0001 0001'],
    ['address', maskWriteRequest(4, 0xf2, 0x25), '16 0005 00F2 0025'],
    ['value', maskWriteRequest(4, 0xf2, 0x25), '16 0004 00F3 0025'],
    ['value', maskWriteRequest(4, 0xf2, 0x25), '16 0004 00F2 0024'],
  ])('is flawed where another %s is repeated', (error, request, hex) => {
    expect(errorOf(request, hex)).toBe(error);
  });
});

describe('exceptions', () => {
  it('answer any request', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.nat(255), (request, exception) => {
        const into = new Uint8Array(4);
        expect(encodeException(into, 1, request.function, exception)).toBe(2);
        expect(decodeResponse(request, into, 1, 2)).toEqual({ kind: 'exception', exception });
      }),
      { seed: 502, numRuns: 100 },
    );
  });

  it('have two bytes and the function of the request', () => {
    const request = readRequest('holding', 0, 1);
    expect(decoded(request, '83 02')).toEqual({ kind: 'exception', exception: 2 });
    expect(errorOf(request, '83')).toBe('length');
    expect(errorOf(request, '83 02 00')).toBe('length');
    expect(errorOf(request, '84 02')).toBe('function');
  });
});

describe('decodeResponse', () => {
  it('names both functions where they differ', () => {
    expect(decoded(readRequest('holding', 0, 1), '04 02 0000')).toEqual({
      kind: 'invalid',
      error: 'function',
      message: 'The response has function 0x04, not 0x03',
    });
  });

  it('finds a response without any byte flawed', () => {
    expect(errorOf(identifyRequest(1), '')).toBe('length');
  });

  it('survives any bytes in answer to any request', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.uint8Array({ maxLength: 253 }), (request, bytes) => {
        const body = Uint8Array.from([request.function, ...bytes.subarray(0, 252)]);
        const { kind } = decodeResponse(request, body, 0, body.length);
        expect(['bits', 'registers', 'written', 'identity', 'invalid']).toContain(kind);
      }),
      { seed: 502, numRuns: 500 },
    );
  });
});
