import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrm2, type Frm2Event, readFrm2 } from './frm2-event.ts';
import { formatHex } from './hex-bytes.ts';
import { arbitraryEvent } from './testing/arbitrary-frames.ts';

const plain: Frm2Event = {
  bus: 'can',
  kind: 'rx_frame',
  channel: 3,
  dlc: 4,
  id: 0x123,
  flags: 0,
  status: 0,
  eventId: 1,
  sourceSequence: 2,
  streamEpoch: 3,
  timestampUs: 0x60d4e5a7b9c00,
  hardwareSequence: 4,
  filterHit: 5,
  checksum: 0,
  data: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
};

const pieces = (...hex: string[]): string => hex.join('').replaceAll(' ', '');

const vectors: readonly [string, Frm2Event, string][] = [
  [
    'a classic frame',
    plain,
    pieces(
      '46524D32 02 40 01 01 0003 04 04 00000123 00000000 00000000',
      '0000000000000001 0000000000000002 0000000000000003 00060D4E5A7B9C00',
      '0004 05 00 00000000',
      'DEADBEEF',
    ),
  ],
  [
    'an extended CAN FD frame with BRS that was sent',
    {
      ...plain,
      bus: 'canfd',
      kind: 'tx_complete',
      channel: 0xffff,
      dlc: 9,
      id: 0x18ff50e5,
      flags: 0x0d,
      eventId: 2 ** 53 - 1,
      sourceSequence: 2 ** 32,
      data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    },
    pieces(
      '46524D32 02 40 02 02 FFFF 0C 09 18FF50E5 0000000D 00000000',
      '001FFFFFFFFFFFFF 0000000100000000 0000000000000003 00060D4E5A7B9C00',
      '0004 05 00 00000000',
      '0102030405060708090A0B0C',
    ),
  ],
  [
    'a LIN frame with a wrong enhanced checksum',
    {
      ...plain,
      bus: 'lin',
      dlc: 2,
      id: 0x23,
      flags: 0x300,
      status: 7,
      checksum: 0x43,
      data: Uint8Array.of(0x4a, 0x55),
    },
    pieces(
      '46524D32 02 40 03 01 0003 02 02 00000023 00000300 00000007',
      '0000000000000001 0000000000000002 0000000000000003 00060D4E5A7B9C00',
      '0004 05 43 00000000',
      '4A55',
    ),
  ],
  [
    'a remote frame',
    { ...plain, dlc: 8, flags: 0x02, data: new Uint8Array(0) },
    pieces(
      '46524D32 02 40 01 01 0003 00 08 00000123 00000002 00000000',
      '0000000000000001 0000000000000002 0000000000000003 00060D4E5A7B9C00',
      '0004 05 00 00000000',
    ),
  ],
  [
    'an error frame with the error counters of its controller',
    { ...plain, dlc: 8, id: 0x204, flags: 0x20, data: Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0x88, 7) },
    pieces(
      '46524D32 02 40 01 01 0003 08 08 00000204 00000020 00000000',
      '0000000000000001 0000000000000002 0000000000000003 00060D4E5A7B9C00',
      '0004 05 00 00000000',
      '0020000000008807',
    ),
  ],
];

describe('encodeFrm2', () => {
  it.each(vectors)('writes %s to the byte', (_, event, hex) => {
    expect(formatHex(encodeFrm2(event))).toBe(hex);
  });
});

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer);

describe('readFrm2', () => {
  it.each(vectors)('reads %s', (_, event) => {
    expect(readFrm2(viewOf(encodeFrm2(event)), 0)).toEqual(event);
  });

  it('reads back every event', () => {
    fc.assert(
      fc.property(arbitraryEvent, (event) => {
        expect(readFrm2(viewOf(encodeFrm2(event)), 0)).toEqual(event);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('copies the data out of shared memory', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(256));
    shared.set(encodeFrm2(plain), 128);
    const event = readFrm2(new DataView(shared.buffer), 128);
    shared.fill(0);
    expect(event).toEqual(plain);
  });
});
