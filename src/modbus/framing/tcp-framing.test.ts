import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf, joined } from '../pdu/testing/bytes-of.ts';
import { TcpFraming } from './tcp-framing.ts';
import { arbitraryRequest, arbitraryResponse } from './testing/arbitrary-pdus.ts';
import { frameVectors } from './testing/frame-vectors.ts';
import { FramingRecorder } from './testing/framing-recorder.ts';
import { describeFraming } from './testing/framing-suite.ts';

const newRecorder = (): FramingRecorder =>
  new FramingRecorder((receiver) => new TcpFraming(receiver));

describeFraming('Modbus TCP', {
  create: (receiver) => new TcpFraming(receiver),
  vectors: frameVectors,
  wire: ({ unit, pdu }) => {
    const bytes = bytesOf(pdu);
    return joined(Uint8Array.of(0, 0, 0, 0, 0, 1 + bytes.length, unit), bytes);
  },
  pdus: fc.oneof(arbitraryRequest, arbitraryResponse),
  // Any header with another protocol identifier.
  noise: fc
    .uint8Array({ minLength: 6, maxLength: 40 })
    .map((bytes) => bytes.map((byte, at) => (at === 2 ? byte | 1 : byte))),
  oversize: joined(bytesOf('0001 0000 00FF 01'), new Uint8Array(300)),
  hasChecksum: false,
  resynchronises: false,
  maxPauseUs: null,
});

describe('TcpFraming', () => {
  it('carries the transaction both ways', () => {
    const recorder = newRecorder();
    const request = bytesOf('0001 0000 0006 01 03 0000 0002');
    const pdu = bytesOf('03 0000 0002');
    expect(hexOf(recorder.encoded({ transaction: 1, unit: 1, pdu }))).toBe(hexOf(request));
    recorder.hear(request, bytesOf('FFFE 0000 0007 FF 03 04 0006 0005'));
    expect(recorder.frames).toEqual([
      { transaction: 1, unit: 1, pdu: '0300000002' },
      { transaction: 0xfffe, unit: 255, pdu: '030400060005' },
    ]);
  });

  it.each([
    ['0', '0000'],
    ['1, a unit without a function', '0001'],
    ['255', '00FF'],
    ['65535', 'FFFF'],
  ])('ends the connection at a length of %s', (_, length) => {
    const recorder = newRecorder();
    recorder.hear(bytesOf(`0001 0000 ${length} 01 03`));
    expect(recorder.problems).toEqual([{ kind: 'bad_length', discarded: 8, fatal: true }]);
    expect(recorder.frames).toEqual([]);
  });

  it.each(['0100', '0001', '8000'])('ends the connection at protocol %s', (protocol) => {
    const recorder = newRecorder();
    recorder.hear(bytesOf('0001'), bytesOf(`${protocol} 0006`), bytesOf('01 03 0000 0002'));
    expect(recorder.problems).toEqual([{ kind: 'bad_protocol', discarded: 6, fatal: true }]);
    expect(recorder.frames).toEqual([]);
  });

  it('takes the shortest and the longest frame', () => {
    const recorder = newRecorder();
    recorder.hear(bytesOf('0001 0000 0002 01 07'));
    recorder.hear(joined(bytesOf('0002 0000 00FE 01'), new Uint8Array(253)));
    expect(recorder.frames.map(({ pdu }) => pdu.length / 2)).toEqual([1, 253]);
  });

  it('hands out frames where they lie in the chunk, without copying them', () => {
    const chunk = bytesOf('0001 0000 0006 01 03 0000 0002');
    const seen: unknown[] = [];
    const framing = new TcpFraming({
      frame: (_transaction, _unit, bytes, at, length) => void seen.push([bytes, at, length]),
      problem: () => {},
    });
    framing.push(chunk);
    expect(seen).toEqual([[chunk, 7, 5]]);
    expect((seen[0] as [Uint8Array])[0]).toBe(chunk);
  });
});
