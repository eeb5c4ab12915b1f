import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { parseJsonBytes } from './parse-json-bytes.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const detailsOf = (bytes: Uint8Array): unknown => {
  try {
    parseJsonBytes(bytes);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return { code: thrown.code, ...thrown.details };
    throw thrown;
  }
  throw new Error('the bytes were accepted');
};

describe('parseJsonBytes', () => {
  it('reads UTF-8 of every length, and the replacement character as itself', () => {
    expect(parseJsonBytes(utf8('["é€😀\ufffd",1]'))).toStrictEqual(['é€😀\ufffd', 1]);
  });

  it('reads a part of a larger buffer', () => {
    expect(parseJsonBytes(utf8('xx[7]xx').subarray(2, 5))).toStrictEqual([7]);
  });

  it('passes its options on', () => {
    expect(() => parseJsonBytes(utf8('[[]]'), { maxDepth: 1 })).toThrow(/nested/);
  });

  it.each([
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x31], 'syntax', 1, 1],
    ['only a byte order mark', [0xef, 0xbb, 0xbf], 'syntax', 1, 1],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00], 'bad_utf8', 1, 1],
    ['a stray continuation byte', [0x22, 0x80, 0x22], 'bad_utf8', 1, 2],
    ['a truncated sequence', [0x0a, 0x22, 0xe2, 0x82], 'bad_utf8', 2, 2],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22], 'bad_utf8', 1, 2],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 'bad_utf8', 1, 2],
    ['a code point past the last', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'bad_utf8', 1, 2],
    ['a sequence broken off by a quote', [0x22, 0xf0, 0x9f, 0x98, 0x22], 'bad_utf8', 1, 2],
    ['the start of a replacement character', [0x22, 0x61, 0xef, 0xbf], 'bad_utf8', 1, 3],
    ['its start before a quote', [0x22, 0xef, 0xbf, 0x22], 'bad_utf8', 1, 2],
    ['a flaw after a replacement character', [0x22, 0xef, 0xbf, 0xbd, 0xff], 'bad_utf8', 1, 3],
  ])('refuses %s and says where', (_name, bytes, reason, line, column) => {
    expect(detailsOf(Uint8Array.from(bytes))).toStrictEqual({
      code: 'invalid_argument',
      field: '',
      reason,
      line,
      column,
    });
  });

  it('points right behind the sound text, whatever that is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ufffd') }),
        fc.uint8Array(),
        (sound, rest) => {
          const bytes = Uint8Array.of(...utf8(sound), 0xff, ...rest);
          const column = sound.length + 1;
          expect(detailsOf(bytes)).toMatchObject({ reason: 'bad_utf8', line: 1, column });
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});
