import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemorySource } from '../testing/memory-bytes.ts';
import { LineScanner } from './line-scanner.ts';

interface Line {
  readonly text: string;
  readonly isTerminated: boolean;
  readonly isTooLong: boolean;
}

const linesOf = (text: string, sizes: readonly number[] = [], looksAtAll = false): Line[] => {
  const scanner = new LineScanner(new MemorySource(Buffer.from(text, 'latin1'), sizes));
  const lines: Line[] = [];
  while (scanner.next(looksAtAll ? scanner.end : scanner.start)) {
    const { isTerminated, isTooLong, start, end } = scanner;
    if (scanner.line === lines.length) {
      // A partial step through a line that is too long.
      expect({ isTooLong, length: end - start }).toEqual({ isTooLong: false, length: 0 });
      continue;
    }
    const bytes = scanner.bytes.subarray(start, isTooLong ? start + 10 : end);
    lines.push({ text: Buffer.from(bytes).toString('latin1'), isTerminated, isTooLong });
    expect(scanner.line).toBe(lines.length);
    expect([0x0a, 0x0d]).toContain(scanner.bytes[end]);
  }
  expect(scanner.position).toBe(text.length);
  expect(scanner.next()).toBe(false);
  return lines;
};

const texts = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

describe('the line scanner', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r', ['a', 'b']],
    ['a\n\nb', ['a', '', 'b']],
    ['a\r\n\r\nb\r\n', ['a', '', 'b']],
    ['a\r\r\nb\n\rc', ['a', '', 'b', '', 'c']],
    ['\ttab \0nul\x0b\n', ['\ttab \0nul\x0b']],
  ])('takes %j apart', (text, expected) => {
    expect(texts(linesOf(text))).toEqual(expected);
    for (const size of [1, 2, 3]) expect(texts(linesOf(text, [size]))).toEqual(expected);
  });

  it('tells that the last line has no line end', () => {
    expect(linesOf('a\nb').map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    expect(linesOf('a\nb\r').map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });

  it('agrees with splitting, in any sizes of reads and however far lines were looked at', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bc', '\n', '\r', '\r\n', 'd'.repeat(70)), { maxLength: 60 })
      .map((pieces) => pieces.join(''));
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 5 });
    fc.assert(
      fc.property(text, sizes, fc.boolean(), (whole, each, looksAtAll) => {
        const expected = whole.split(/\r\n|\n|\r/);
        if (expected.at(-1) === '') expected.pop();
        expect(texts(linesOf(whole, each, looksAtAll))).toEqual(expected);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('reads lines of 64 KiB across reads of any size', () => {
    const text = `short\n${'x'.repeat(65_536)}\nlast\n`;
    for (const size of [undefined, 1000, 65_536, 70_000]) {
      const lines = linesOf(text, size === undefined ? [] : [size]);
      expect(lines.map((line) => line.text.length)).toEqual([5, 65_536, 4]);
      expect(lines.some((line) => line.isTooLong)).toBe(false);
    }
  });

  it('keeps the beginning of a longer line and goes on behind it', () => {
    for (const length of [65_537, 300_000, 1_000_000]) {
      const text = `short\r\n0123456789${'x'.repeat(length - 10)}\r\nlast\r\n`;
      for (const sizes of [[], [1000], [65_537], [7, 300_000]]) {
        expect(linesOf(text, sizes)).toEqual([
          { text: 'short', isTerminated: true, isTooLong: false },
          { text: '0123456789', isTerminated: true, isTooLong: true },
          { text: 'last', isTerminated: true, isTooLong: false },
        ]);
      }
    }
  });

  it('gives empty lines that do not count on the long way to the end of a line', () => {
    const source = new MemorySource(Buffer.from(`${'x'.repeat(3_000_000)}\nlast\n`));
    const scanner = new LineScanner(source);
    let maxStep = 0;
    let steps = 0;
    for (let before = 0; scanner.next() && scanner.line === 0; before = scanner.passed) {
      maxStep = Math.max(maxStep, scanner.passed - before);
      steps += 1;
    }
    expect(steps).toBeGreaterThan(2);
    expect(maxStep).toBeLessThan(700_000);
    expect([scanner.line, scanner.isTooLong]).toEqual([1, true]);
    expect(scanner.next()).toBe(true);
    expect([scanner.line, scanner.end - scanner.start]).toEqual([2, 4]);
  });

  it('tells whether the text ends in NUL bytes', () => {
    const endsInNul = (text: string): boolean => {
      const scanner = new LineScanner(new MemorySource(Buffer.from(text)));
      while (scanner.next()) expect([scanner.line, scanner.endsInNul]).not.toEqual([1, true]);
      return scanner.endsInNul;
    };
    const nul = '\0'.repeat(1000);
    expect(endsInNul(`a\n${nul}`)).toBe(true);
    expect(endsInNul(`a\nb${nul}`)).toBe(true);
    expect(endsInNul(`a\n${nul.repeat(2000)}`)).toBe(true);
    expect(endsInNul(`a\n${nul}b`)).toBe(false);
    expect(endsInNul(`a\n${nul.repeat(2000)}b`)).toBe(false);
    expect(endsInNul(`a\n${nul.repeat(2000)}\n`)).toBe(false);
    expect(endsInNul('a\n')).toBe(false);
  });

  it('keeps the beginning of a longer line that is the last and has no line end', () => {
    for (const sizes of [[], [1000]]) {
      expect(linesOf(`0123456789${'x'.repeat(500_000)}`, sizes)).toEqual([
        { text: '0123456789', isTerminated: false, isTooLong: true },
      ]);
    }
  });
});
