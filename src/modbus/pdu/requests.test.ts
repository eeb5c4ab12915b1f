import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRequest } from './decode-request.ts';
import { encodeRequest } from './encode-request.ts';
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
import { type ModbusRequest, maskedValue } from './requests.ts';
import { arbitraryRequest } from './testing/arbitrary-requests.ts';
import { bytesOf, hexOf } from './testing/bytes-of.ts';

const encoded = (request: ModbusRequest): Uint8Array => {
  const into = new Uint8Array(maxPduLength);
  return into.slice(0, encodeRequest(into, 0, request));
};

/** A request with a copy of its data, so that offsets in memory do not matter. */
const settled = (request: ReturnType<typeof decodeRequest>): unknown => {
  if (!('data' in request)) return request;
  const { data, dataAt, ...rest } = request;
  const words = 'writeCount' in rest ? rest.writeCount : rest.count;
  const length = rest.kind === 'write_coils' ? Math.ceil(words / 8) : 2 * words;
  return { ...rest, written: hexOf(data.subarray(dataAt, dataAt + length)) };
};

const exceptionOf = (hex: string, supported?: ReadonlySet<number>): number => {
  const bytes = bytesOf(hex);
  const request = decodeRequest(bytes, 0, bytes.length, supported);
  return request.kind === 'refused' ? request.exception : 0;
};

describe('encodeRequest', () => {
  it.each<[ModbusRequest, string]>([
    [readRequest('holding', 0x6b, 3), '03 006B 0003'],
    [readRequest('coil', 0x13, 37), '01 0013 0025'],
    [readRequest('discrete', 0xc4, 22), '02 00C4 0016'],
    [readRequest('input', 8, 1), '04 0008 0001'],
    [writeCoilRequest(0xac, true), '05 00AC FF00'],
    [writeCoilRequest(0xac, false), '05 00AC 0000'],
    [writeRegisterRequest(1, 3), '06 0001 0003'],
    [writeCoilsRequest(0x13, 10, Uint8Array.of(0xcd, 0x01)), '0F 0013 000A 02 CD01'],
    [writeRegistersRequest(1, Uint16Array.of(0x000a, 0x0102)), '10 0001 0002 04 000A 0102'],
    [maskWriteRequest(4, 0xf2, 0x25), '16 0004 00F2 0025'],
    [
      readWriteRequest(3, 6, 0x0e, Uint16Array.of(0xff, 0xff, 0xff)),
      '17 0003 0006 000E 0003 06 00FF 00FF 00FF',
    ],
    [identifyRequest(1), '2B 0E 01 00'],
    [identifyRequest(4, 0x80), '2B 0E 04 80'],
  ])('writes what the wire has: %o', (request, hex) => {
    expect(hexOf(encoded(request))).toBe(hex.replaceAll(' ', ''));
  });

  it('writes nothing that a server does not read the same, wherever it lies', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.nat(20), (request, at) => {
        const into = new Uint8Array(maxPduLength + 40).fill(0xee);
        const length = encodeRequest(into, at, request);
        expect(length).toBeLessThanOrEqual(maxPduLength);
        expect(into[at + length]).toBe(0xee);
        expect(settled(decodeRequest(into, at, length))).toEqual(settled(request));
      }),
      { seed: 502, numRuns: 500 },
    );
  });

  it('passes on a request that a server has decoded', () => {
    const bytes = bytesOf('EE 10 0001 0002 04 000A 0102 EE');
    const request = decodeRequest(bytes, 1, 10);
    if (request.kind !== 'write_registers') throw new TypeError(request.kind);
    expect(hexOf(encoded(request))).toBe(hexOf(bytes.subarray(1, 11)));
  });
});

describe('decodeRequest', () => {
  it.each([
    ['00', 0],
    ['07', 7],
    ['08 0000 A537', 8],
    ['83 02', 0x83],
    ['FF', 0xff],
    ['', 0],
  ])('answers function %s with illegal function', (hex, code) => {
    const bytes = bytesOf(hex);
    expect(decodeRequest(bytes, 0, bytes.length)).toEqual({
      kind: 'refused',
      function: code,
      exception: 1,
    });
  });

  it('answers a function that the server leaves out with illegal function, whatever follows', () => {
    const readsOnly = new Set([3, 4]);
    expect(exceptionOf('03 0000 0001', readsOnly)).toBe(0);
    expect(exceptionOf('06 0000 0001', readsOnly)).toBe(1);
    expect(exceptionOf('10 FFFF 0000 00', readsOnly)).toBe(1);
  });

  it.each([
    ['01', 2000],
    ['02', 2000],
    ['03', 125],
    ['04', 125],
  ])('reads counts of function %s up to %i', (code, limit) => {
    const withCount = (count: number, address = '0000') =>
      exceptionOf(`${code} ${address} ${count.toString(16).padStart(4, '0')}`);
    expect([1, limit].map((count) => withCount(count))).toEqual([0, 0]);
    expect([0, limit + 1, 0xffff].map((count) => withCount(count))).toEqual([3, 3, 3]);
    // A wrong count is reported before a wrong address.
    expect(withCount(limit + 1, 'FFFF')).toBe(3);
    expect(withCount(1, 'FFFF')).toBe(0);
    expect(withCount(2, 'FFFF')).toBe(2);
  });

  it.each([
    ['05 0000 FF00', 0],
    ['05 FFFF 0000', 0],
    ['05 0000 0001', 3],
    ['05 0000 FF01', 3],
    ['05 0000 FFFF', 3],
  ])('takes two values for a coil only: %s', (hex, exception) => {
    expect(exceptionOf(hex)).toBe(exception);
  });

  const data = (length: number): string =>
    `${length.toString(16).padStart(2, '0')}${'00'.repeat(length)}`;

  it.each([
    ['write 1968 coils', `0F 0000 07B0 ${data(246)}`, 0],
    ['write 1969 coils', `0F 0000 07B1 ${data(247)}`, 3],
    ['write no coils', '0F 0000 0000 00', 3],
    ['write 9 coils with 1 byte', `0F 0000 0009 ${data(1)}`, 3],
    ['write 8 coils with 2 bytes', `0F 0000 0008 ${data(2)}`, 3],
    ['write coils with less data than announced', '0F 0000 0009 02 00', 3],
    ['write coils with more data than announced', '0F 0000 0008 01 00 00', 3],
    ['write coils beyond the last', `0F FFFF 0002 ${data(1)}`, 2],
    ['write coils wrongly and beyond the last', `0F FFFF 0002 ${data(2)}`, 3],
    ['write 123 registers', `10 0000 007B ${data(246)}`, 0],
    ['write 124 registers', `10 0000 007C ${data(248)}`, 3],
    ['write no registers', '10 0000 0000 00', 3],
    ['write 2 registers with 2 bytes', `10 0000 0002 ${data(2)}`, 3],
    ['write registers with less data than announced', '10 0000 0001 02 00', 3],
    ['write registers with more data than announced', '10 0000 0001 02 0000 00', 3],
    ['write registers beyond the last', `10 FFFF 0002 ${data(4)}`, 2],
    ['read 125 and write 121', `17 0000 007D 0000 0079 ${data(242)}`, 0],
    ['read 126 and write', `17 0000 007E 0000 0001 ${data(2)}`, 3],
    ['read and write 122', `17 0000 0001 0000 007A ${data(244)}`, 3],
    ['read none and write', `17 0000 0000 0000 0001 ${data(2)}`, 3],
    ['read and write none', '17 0000 0001 0000 0000 00', 3],
    ['read and write with a wrong byte count', `17 0000 0001 0000 0002 ${data(2)}`, 3],
    ['read and write with less data', '17 0000 0001 0000 0001 02 00', 3],
    ['read beyond the last and write', `17 FFFF 0002 0000 0001 ${data(2)}`, 2],
    ['read and write beyond the last', `17 0000 0001 FFFF 0002 ${data(4)}`, 2],
    ['mask the last register', '16 FFFF FFFF 0000', 0],
    ['identify', '2B 0E 01 00', 0],
    ['identify a single object', '2B 0E 04 FF', 0],
    ['identify with code 0', '2B 0E 00 00', 3],
    ['identify with code 5', '2B 0E 05 00', 3],
    ['use another interface', '2B 0D 01 00', 1],
    ['use no interface', '2B', 3],
  ])('checks in the order of the protocol: %s', (_, hex, exception) => {
    expect(exceptionOf(hex)).toBe(exception);
  });

  it('answers whatever is too short or too long with illegal data value', () => {
    for (const hex of [
      '01 0000 0001',
      '02 0000 0001',
      '03 0000 0001',
      '04 0000 0001',
      '05 0000 FF00',
      '06 0000 0001',
      '0F 0000 0001 01 00',
      '10 0000 0001 02 0000',
      '16 0000 0000 0000',
      '17 0000 0001 0000 0001 02 0000',
      '2B 0E 01 00',
    ]) {
      const bytes = bytesOf(`${hex} 00`);
      const length = bytes.length - 1;
      expect(decodeRequest(bytes, 0, length).kind).not.toBe('refused');
      for (let other = 1; other < length; other++) {
        expect(decodeRequest(bytes, 0, other)).toMatchObject({ exception: 3 });
      }
      expect(decodeRequest(bytes, 0, length + 1)).toMatchObject({ exception: 3 });
    }
  });

  it('survives any bytes and refuses them with one of three exceptions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 253 }), (bytes) => {
        const request = decodeRequest(bytes, 0, bytes.length);
        if (request.kind === 'refused') expect([1, 2, 3]).toContain(request.exception);
        else expect(hexOf(encoded(request))).toBe(hexOf(bytes));
      }),
      { seed: 502, numRuns: 500 },
    );
  });
});

describe('maskedValue', () => {
  it('keeps the bits of the AND mask and takes the others from the OR mask', () => {
    expect(maskedValue(0x0012, 0x00f2, 0x0025)).toBe(0x0017);
    expect(maskedValue(0xabcd, 0xffff, 0xffff)).toBe(0xabcd);
    expect(maskedValue(0xabcd, 0x0000, 0x1234)).toBe(0x1234);
  });
});
