import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LineSplitter, maxLineLength } from './exchange.ts';

const received: string[] = [];
const splitter = () =>
  new LineSplitter({
    line: (bytes, length) =>
      received.push(Buffer.from(bytes.subarray(0, length)).toString('latin1')),
    bell: () => received.push('<bell>'),
    garbage: () => received.push('<garbage>'),
  });
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('a line splitter', () => {
  beforeEach(() => {
    received.length = 0;
  });

  it('tells lines, empty ones too, and bells between them', () => {
    splitter().push(bytes('t1230\r\r\x07z\r'));
    expect(received).toEqual(['t1230', '', '<bell>', 'z']);
  });

  it('passes over a line feed behind the end of a line', () => {
    splitter().push(bytes('V1013\r\nN0001\r\n'));
    expect(received).toEqual(['V1013', 'N0001']);
  });

  it('counts what a bell cuts off', () => {
    splitter().push(bytes('t12\x07t1230\r'));
    expect(received).toEqual(['<garbage>', '<bell>', 't1230']);
  });

  it('tells a million characters without an end once, and hears what comes after', () => {
    const lines = splitter();
    const noise = new Uint8Array(1000).fill(0x55);
    for (let i = 0; i < 1000; i++) lines.push(noise);
    expect(received).toEqual(['<garbage>']);
    lines.push(bytes('\rt1230\r'));
    expect(received).toEqual(['<garbage>', 't1230']);
  });

  it('takes the longest line and no longer one', () => {
    const lines = splitter();
    lines.push(bytes(`${'x'.repeat(maxLineLength)}\r`));
    lines.push(bytes(`${'x'.repeat(maxLineLength + 1)}\r`));
    expect(received).toEqual(['x'.repeat(maxLineLength), '<garbage>']);
  });

  it('tells the same however the bytes are cut', () => {
    const byte = fc.oneof(
      fc.constantFrom(0x0d, 0x07, 0x0a, 0x74),
      fc.integer({ min: 0, max: 255 }),
    );
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 600 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (all, cuts) => {
          received.length = 0;
          splitter().push(Uint8Array.from(all));
          const whole = [...received];
          received.length = 0;
          const pieces = splitter();
          for (let at = 0; at < all.length; ) {
            const size = cuts.next().value as number;
            pieces.push(Uint8Array.from(all.slice(at, at + size)));
            at += size;
          }
          expect(received).toEqual(whole);
        },
      ),
    );
  });
});
