import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

const texts = (lines: Uint8Array[]): string[] => lines.map((line) => Buffer.from(line).toString());

describe('LineSplitter', () => {
  it('gives the same lines however the stream is cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat({ max: 20 })), (lines, cuts) => {
        const stream = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const splitter = new LineSplitter(1_000_000);
        const found: string[] = [];
        let at = 0;
        for (const size of [...cuts, stream.length]) {
          found.push(...texts(splitter.push(stream.subarray(at, at + size))));
          at += size;
        }
        expect(found).toEqual(lines);
      }),
    );
  });

  it('keeps an unfinished line until its end arrives', () => {
    const splitter = new LineSplitter(100);
    expect(splitter.push(Buffer.from('one\ntw'))).toHaveLength(1);
    expect(texts(splitter.push(Buffer.from('o\n')))).toEqual(['two']);
  });

  it('refuses a line beyond the limit before it has ended', () => {
    const splitter = new LineSplitter(4);
    expect(() => splitter.push(Buffer.from('12345'))).toThrow('longer than the limit');
  });
});
