import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakMark, MarkedBytes } from './marked-bytes.ts';
import { withMarks } from './testing/with-marks.ts';

const reader = () => {
  const received: string[] = [];
  const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
  const bytes = new MarkedBytes({
    byte: (byte) => received.push(hex(byte)),
    lineBreak: () => received.push('break'),
    framingError: (byte) => received.push(`bad ${hex(byte)}`),
  });
  return { bytes, heard: received };
};

describe('marked bytes', () => {
  it('tell bytes, breaks and framing errors apart', () => {
    const { bytes, heard: received } = reader();
    bytes.read(Uint8Array.of(1, 0xff, 0xff, 0xff, 0, 0, 0x55, 0xff, 0, 0x12, 0, 0xff, 0xff));
    expect(received).toEqual(['01', 'ff', 'break', '55', 'bad 12', '00', 'ff']);
  });

  it('lose nothing behind a mark that does not exist', () => {
    const { bytes, heard: received } = reader();
    bytes.read(Uint8Array.of(0xff, 7, 8));
    expect(received).toEqual(['ff', '07', '08']);
  });

  it('forget half a mark where the line begins anew', () => {
    const { bytes, heard: received } = reader();
    bytes.read(Uint8Array.of(0xff, 0));
    bytes.reset();
    bytes.read(Uint8Array.of(0, 1));
    expect(received).toEqual(['00', '01']);
  });

  it('are read alike in whatever pieces they come', () => {
    const item = fc.oneof(
      fc.constant('break' as const),
      fc.uint8Array({ minLength: 1, maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(item), fc.array(fc.nat(5)), (items, cuts) => {
        const wire = Buffer.concat(
          items.map((part) => (part === 'break' ? breakMark : withMarks(part))),
        );
        const { bytes, heard: received } = reader();
        let at = 0;
        for (const cut of cuts) {
          bytes.read(wire.subarray(at, at + cut));
          at += cut;
        }
        bytes.read(wire.subarray(at));
        const expected = items.flatMap((part) =>
          part === 'break'
            ? ['break']
            : [...part].map((byte) => byte.toString(16).padStart(2, '0')),
        );
        expect(received).toEqual(expected);
      }),
    );
  });
});
