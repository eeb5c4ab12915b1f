import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { lengthToDlc, maxClassicLength } from '../frame/dlc.ts';
import { frameFlags } from '../frame/frame.ts';
import { writeFrm2 } from '../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2SlotBytes } from '../frame/frm2-layout.ts';
import { arbitraryCanFrame } from '../frame/testing/arbitrary-frames.ts';
import {
  type DatagramError,
  type FrameVisitor,
  headerError,
  sequenceOf,
  visitFrames,
} from './datagram-reader.ts';
import { DatagramWriter } from './peer-batcher.ts';

/** Records its calls. */
class Notes implements FrameVisitor {
  readonly seen: string[] = [];

  frame(id: number, flags: number, dlc: number, bytes: Uint8Array, offset: number, length: number) {
    expect(offset + length).toBeLessThanOrEqual(bytes.length);
    const hex = Buffer.from(bytes.subarray(offset, offset + length)).toString('hex');
    this.seen.push(`${id.toString(16)}/${flags}/${dlc}#${hex}`);
  }

  invalidFrame(): void {
    this.seen.push('invalid');
  }

  errorFrame(): void {
    this.seen.push('error');
  }
}

const read = (hex: string): { seen: string[]; error: DatagramError | null } => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const notes = new Notes();
  const error = headerError(bytes) ?? visitFrames(bytes, notes);
  return { seen: notes.seen, error };
};

describe('reading a datagram', () => {
  it('reads a classic frame as cannelloni writes it', () => {
    expect(read('02 00 07 00 01 00 00 01 23 02 AA 55')).toEqual({
      seen: ['123/0/2#aa55'],
      error: null,
    });
    expect(sequenceOf(Buffer.from('0200070000', 'hex'))).toBe(7);
  });

  it('reads CAN FD frames with their flags, of which it knows two', () => {
    const { fd, brs, esi } = frameFlag;
    expect(read('02 00 07 00 01 00 00 01 23 83 01 AA 55 00').seen).toEqual([
      `123/${fd | brs}/3#aa5500`,
    ]);
    expect(read('02 00 07 00 01 00 00 01 23 80 06').seen).toEqual([`123/${fd | esi}/0#`]);
    const max = `02 00 07 00 01 00 00 01 23 C0 00 ${'5A'.repeat(64)}`;
    expect(read(max).seen).toEqual([`123/${fd}/15#${'5a'.repeat(64)}`]);
  });

  it('reads extended and remote frames; a remote frame has no data', () => {
    const { extended, remote } = frameFlag;
    expect(read('02 00 00 00 03 9F FF FF FF 00 40 00 01 23 08 C0 00 00 01 02').seen).toEqual([
      `1fffffff/${extended}/0#`,
      `123/${remote}/8#`,
      `1/${extended | remote}/2#`,
    ]);
  });

  it('tells reports of errors from frames', () => {
    expect(read(`02 00 00 00 02 20 00 00 04 08 ${'00'.repeat(8)} 00 00 00 01 00`)).toEqual({
      seen: ['error', '1/0/0#'],
      error: null,
    });
  });

  it.each([
    ['a classic frame of nine bytes', `00 00 01 23 09 ${'00'.repeat(9)}`],
    ['a classic frame of the greatest length', `00 00 01 23 7F ${'00'.repeat(127)}`],
    ['a CAN FD frame of a length between two codes', `00 00 01 23 89 00 ${'00'.repeat(9)}`],
    ['a CAN FD frame of more than 64 bytes', `00 00 01 23 C1 00 ${'00'.repeat(65)}`],
    ['a standard identifier above 7FF', '00 00 08 00 00'],
    ['a remote frame of CAN FD', '40 00 01 23 80 00'],
    ['a remote frame with a length above 8', '40 00 01 23 09'],
  ])('knows that no bus carries %s, and goes on behind it', (_what, frame) => {
    expect(read(`02 00 00 00 02 ${frame} 00 00 00 01 01 EE`)).toEqual({
      seen: ['invalid', '1/0/1#ee'],
      error: null,
    });
  });

  it.each([
    ['01 00 00 00 00', 'version'],
    ['03', 'version'],
    ['02 01 00 00 00', 'opcode'],
    ['02 02 00 00 01 00 00 01 23 00', 'opcode'],
    ['', 'truncated'],
    ['02 00 00 00', 'truncated'],
  ])('drops %s for its %s', (hex, error) => {
    expect(read(hex)).toEqual({ seen: [], error });
  });

  it('takes the whole frames before a cut', () => {
    const whole = '02 00 00 00 02 00 00 00 01 01 11';
    const second = ['00', '00', '00', '02', '83', '00', '01', '02'];
    for (let kept = 1; kept <= second.length; kept++) {
      expect(read(`${whole} ${second.slice(0, kept).join(' ')}`)).toEqual({
        seen: ['1/0/1#11'],
        error: 'truncated',
      });
    }
  });

  it('tells when there are fewer frames or more bytes than announced', () => {
    expect(read('02 00 00 00 03 00 00 00 01 00')).toEqual({ seen: ['1/0/0#'], error: 'count' });
    expect(read('02 00 00 00 01 00 00 00 01 00 00')).toEqual({ seen: ['1/0/0#'], error: 'count' });
    expect(read('02 00 00 00 00 00 00 00 01 00')).toEqual({ seen: [], error: 'count' });
    expect(read('02 00 00 00 00')).toEqual({ seen: [], error: null });
  });

  it('survives any bytes whatever, and never visits more frames than announced', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (random, isSound) => {
        const bytes = Uint8Array.from(random);
        if (isSound && bytes.length >= 5) bytes.set([2, 0, 9, 0, bytes.length % 40]);
        const notes = new Notes();
        const error = headerError(bytes);
        if (error !== null) return;
        visitFrames(bytes, notes);
        expect(notes.seen.length).toBeLessThanOrEqual((bytes[3] ?? 0) * 256 + (bytes[4] ?? 0));
      }),
      { seed: 20_000, numRuns: cases(400, 2000) },
    );
  });

  it('reads back every frame that was packed', () => {
    fc.assert(
      fc.property(fc.array(arbitraryCanFrame, { maxLength: 40 }), (frames) => {
        const writer = new DatagramWriter(4096);
        const view = new DataView(new ArrayBuffer(frm2SlotBytes));
        const expected = frames.map((frame) => {
          const { id, dlc, data, fd, remote } = frame;
          const flags = frameFlags(frame);
          const kind = eventKindCode.rx_frame;
          writeFrm2(view, 0, busCode[frame.bus], kind, 1, id, flags, dlc, data, 0, data.length);
          expect(writer.add(view, 0)).toBe(true);
          const length = remote ? Math.min(dlc, maxClassicLength) : data.length;
          const hex = Buffer.from(data).toString('hex');
          return `${id.toString(16)}/${flags}/${lengthToDlc(length, fd)}#${hex}`;
        });
        writer.seal(1);
        expect(read(Buffer.from(writer.bytes.subarray(0, writer.length)).toString('hex'))).toEqual({
          seen: expected,
          error: null,
        });
      }),
      { seed: 20_001, numRuns: cases(100, 500) },
    );
  });
});
