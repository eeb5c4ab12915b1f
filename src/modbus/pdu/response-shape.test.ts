import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeResponse } from './decode-response.ts';
import { encodeRead, encodeWritten } from './encode-response.ts';
import { readRequest, writeRegisterRequest, writeRegistersRequest } from './make-request.ts';
import type { ModbusRequest } from './requests.ts';
import { answerLength, answersAlike } from './response-shape.ts';
import { arbitraryRequest } from './testing/arbitrary-requests.ts';

/**
 * A valid response with zeros; none for an identification, whose responses differ between
 * devices.
 */
const answerTo = (request: ModbusRequest): Uint8Array | undefined => {
  const pdu = new Uint8Array(253);
  switch (request.kind) {
    case 'identify':
      return undefined;
    case 'read_bits':
    case 'read_registers':
    case 'read_write_registers':
      return pdu.slice(0, encodeRead(pdu, 0, request.function, answerLength(request) - 2));
    default:
      return pdu.slice(0, encodeWritten(pdu, 0, request));
  }
};

describe('answersAlike', () => {
  it('says whether the answer to one would be taken for the answer to the other', () => {
    const pair = fc.tuple(arbitraryRequest, arbitraryRequest);
    const twice = arbitraryRequest.map((request) => [request, { ...request }] as const);
    fc.assert(
      fc.property(fc.oneof(pair, twice), ([one, other]) => {
        const answer = answerTo(one);
        if (answer === undefined) return;
        expect(answer).toHaveLength(answerLength(one));
        const isTaken = decodeResponse(other, answer, 0, answer.length).kind !== 'invalid';
        expect(answersAlike(one, other)).toBe(isTaken);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it.each<[alike: boolean, one: ModbusRequest, other: ModbusRequest]>([
    [true, readRequest('holding', 0, 2), readRequest('holding', 70, 2)],
    [false, readRequest('holding', 0, 2), readRequest('input', 0, 2)],
    [false, readRequest('holding', 0, 2), readRequest('holding', 0, 3)],
    [true, readRequest('coil', 0, 1), readRequest('coil', 0, 8)],
    [false, readRequest('coil', 0, 8), readRequest('coil', 0, 9)],
    [false, writeRegisterRequest(1, 2), writeRegisterRequest(1, 3)],
    [
      true,
      writeRegistersRequest(1, Uint16Array.of(2)),
      writeRegistersRequest(1, Uint16Array.of(3)),
    ],
  ])('is %s for %j and %j', (alike, one, other) => {
    expect(answersAlike(one, other)).toBe(alike);
    expect(answersAlike(other, one)).toBe(alike);
  });
});
