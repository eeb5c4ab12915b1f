import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../pdu/testing/bytes-of.ts';
import {
  impossible,
  requestLength,
  responseLength,
  undecided,
  unknownLength,
} from './rtu-lengths.ts';
import { arbitraryRequest, arbitraryResponse } from './testing/arbitrary-pdus.ts';

const runs = { seed: 502, numRuns: 300 };

describe('the length that the first bytes of a frame tell', () => {
  it.each([
    ['a request', requestLength, arbitraryRequest],
    ['a response', responseLength, arbitraryResponse],
  ])('is that of %s, and is never told as another before', (_, lengthOf, pdus) => {
    fc.assert(
      fc.property(pdus, (pdu) => {
        const frame = joined(Uint8Array.of(1), pdu, Uint8Array.of(0, 0));
        expect(lengthOf(frame, 0, frame.length - 2)).toBe(frame.length);
        for (let end = 1; end < frame.length; end++) {
          expect([undecided, frame.length]).toContain(lengthOf(frame, 0, end));
        }
      }),
      runs,
    );
  });

  it.each([
    ['07 read exception status', '01 07', 4, '01 07 6D', 5],
    ['08 diagnostics', '01 08 0000 A537', 8, '01 08 0000 A537', 8],
    ['0B event counter', '01 0B', 4, '01 0B 0000 0108', 8],
    ['0C event log', '01 0C', 4, '01 0C 08 0000 0108 0121 2000', 13],
    ['11 server id', '01 11', 4, '01 11 02 05FF', 7],
    ['14 read file record', '01 14 07 06 0004 0001 0002', 12, '01 14 06 05 06 0DFE 0020', 11],
    ['15 write file record', '01 15 09 06 0004 0007 0001 06AF', 14, '01 15 02 0000', 7],
    ['18 FIFO', '01 18 04DE', 6, '01 18 0006 0002 01B8 1284', 12],
  ])('is known for %s too', (_, request, requested, response, answered) => {
    const [asked, reported] = [bytesOf(request), bytesOf(response)];
    expect(requestLength(asked, 0, asked.length)).toBe(requested);
    expect(responseLength(reported, 0, reported.length)).toBe(answered);
  });

  it.each([
    ['an unknown function', '01 44 0000'],
    ['another encapsulated interface', '01 2B 0D 00'],
    ['an exception to an unknown function', '01 C4 01'],
  ])('is unknown for %s', (_, frame) => {
    const bytes = bytesOf(frame);
    expect(requestLength(bytes, 0, bytes.length)).toBe(unknownLength);
    expect(responseLength(bytes, 0, bytes.length)).toBe(unknownLength);
  });

  it.each([
    ['a write of no coils', requestLength, '01 0F 0000 0001 00'],
    ['a write of half a register', requestLength, '01 10 0000 0001 03'],
    ['a write of more than fits', requestLength, '01 10 0000 007F FE'],
    ['no bits', responseLength, '01 01 00'],
    ['half a register', responseLength, '01 03 03'],
    ['more registers than fit', responseLength, '01 03 FE'],
    ['a queue beyond all bounds', responseLength, '01 18 FFFF'],
    ['long objects', responseLength, `01 2B 0E 01 01 00 00 02 00 F6 ${'20'.repeat(246)}`],
    ['an object of more than fits', responseLength, '01 2B 0E 01 01 00 00 01 00 F7'],
  ])('is impossible for %s', (_, lengthOf, frame) => {
    const bytes = bytesOf(frame);
    expect(lengthOf(bytes, 0, bytes.length)).toBe(impossible);
  });
});
