import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';
import { type DeviceIdentity, deviceIdentity, type IdentityObject } from './device-identity.ts';
import { encodeIdentity } from './encode-response.ts';
import { maxPduLength } from './function-codes.ts';
import { identifyRequest } from './make-request.ts';
import type { IdentificationCode } from './requests.ts';
import type { IdentityResponse, ModbusResponse } from './responses.ts';
import { bytesOf, hexOf } from './testing/bytes-of.ts';

const object = (id: number, text: string): IdentityObject => ({
  id,
  value: new TextEncoder().encode(text),
});

const small = deviceIdentity([
  object(0x80, 'extra'),
  object(0, 'Vendor'),
  object(2, 'V1.0'),
  object(1, 'Code'),
  object(4, 'Product'),
]);

const ask = (
  identity: DeviceIdentity,
  code: IdentificationCode,
  objectId = 0,
): { readonly pdu: string; readonly response: ModbusResponse } => {
  const request = identifyRequest(code, objectId);
  const into = new Uint8Array(maxPduLength + 2).fill(0xee);
  const length = encodeIdentity(into, 1, request, identity);
  expect(into[1 + length]).toBe(0xee);
  const response = decodeResponse(request, into, 1, length);
  return { pdu: hexOf(into.subarray(1, 1 + length)), response };
};

const reported = (response: ModbusResponse): IdentityResponse => {
  if (response.kind !== 'identity') throw new TypeError(response.kind);
  return response;
};

const idsIn = (response: ModbusResponse): readonly number[] =>
  reported(response).objects.map(({ id }) => id);

describe('device identification', () => {
  it('writes what the wire has', () => {
    const identity = deviceIdentity([object(0, 'AB'), object(1, ''), object(2, 'C')]);
    expect(ask(identity, 1).pdu).toBe('2B0E0181000003' + '00024142' + '0100' + '020143');
  });

  it.each<[IdentificationCode, readonly number[]]>([
    [1, [0, 1, 2]],
    [2, [0, 1, 2, 4]],
    [3, [0, 1, 2, 4, 0x80]],
  ])('tells the objects of read code %i by rising ids', (code, ids) => {
    const { response } = ask(small, code);
    expect(idsIn(response)).toEqual(ids);
    expect(reported(response)).toMatchObject({ conformity: 0x83, nextObjectId: null });
  });

  it('tells a single object, or that there is none', () => {
    expect(reported(ask(small, 4, 2).response).objects).toEqual([object(2, 'V1.0')]);
    expect(ask(small, 4, 3).response).toEqual({ kind: 'exception', exception: 2 });
  });

  it('begins where it is asked to, and at the first object where there is none', () => {
    expect(idsIn(ask(small, 2, 2).response)).toEqual([2, 4]);
    expect(idsIn(ask(small, 2, 3).response)).toEqual([0, 1, 2, 4]);
    expect(idsIn(ask(small, 1, 4).response)).toEqual([0, 1, 2]);
  });

  it('is asked on until all is told', () => {
    const ids = [0, 1, 2, 3, 4, 5, 6, 0x80, 0xff];
    const large = deviceIdentity(ids.map((id) => object(id, 'x'.repeat(id === 3 ? 244 : 100))));
    const seen: number[] = [];
    let next: number | null = 0;
    while (next !== null) {
      const { response, pdu } = ask(large, 3, next);
      expect(pdu.length / 2).toBeLessThanOrEqual(maxPduLength);
      seen.push(...idsIn(response));
      next = reported(response).nextObjectId;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    [[0], 0x81],
    [[0, 3], 0x82],
    [[0x7f], 0x82],
    [[0x80], 0x83],
    [[], 0x81],
  ])('conforms to the level of its highest object: %o', (ids, conformity) => {
    expect(deviceIdentity(ids.map((id) => object(id, ''))).conformity).toBe(conformity);
  });

  it.each([
    ['two objects of one id', [object(1, 'a'), object(1, 'b')], 'object_id'],
    ['an id of more than a byte', [object(256, '')], 'object_id'],
    ['a negative id', [object(-1, '')], 'object_id'],
    ['an object that no response can carry', [object(0, 'x'.repeat(245))], 'value'],
  ])('refuses %s', (_, objects, field) => {
    expect(() => deviceIdentity(objects)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field }),
      }),
    );
  });

  it.each([
    ['another interface', '2B 0D 01 81 00 00 00', 'interface'],
    ['another read code', '2B 0E 02 81 00 00 00', 'value'],
    ['no number of objects', '2B 0E 01 81 00 00', 'length'],
    ['fewer objects than announced', '2B 0E 01 81 00 00 02 00 00', 'objects'],
    ['an object cut off', '2B 0E 01 81 00 00 01 00 02 41', 'objects'],
    ['an object without a length', '2B 0E 01 81 00 00 01 00', 'objects'],
    ['bytes behind the objects', '2B 0E 01 81 00 00 01 00 00 41', 'objects'],
    ['a next object that is told already', '2B 0E 01 81 FF 00 01 00 00', 'objects'],
    ['a next object and none told', '2B 0E 01 81 FF 01 00', 'objects'],
  ])('finds a response with %s flawed', (_, hex, error) => {
    // More bytes follow in memory, which do not belong to the response.
    const bytes = bytesOf(`${hex} 00 00 00 00`);
    expect(decodeResponse(identifyRequest(1), bytes, 0, bytes.length - 4)).toMatchObject({
      kind: 'invalid',
      error,
    });
  });
});
