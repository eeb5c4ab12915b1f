import type { Random } from '../validate/testing/mutations.ts';

/** Mutations of the bytes of a JSON document. */
type Edit = (text: Buffer, random: Random, donor: Buffer) => Buffer;

const pick = <T>(items: readonly T[], random: Random): T => items[random(items.length)] as T;

const spliced = (text: Buffer, at: number, removed: number, inserted: Buffer | string): Buffer =>
  Buffer.concat([text.subarray(0, at), Buffer.from(inserted), text.subarray(at + removed)]);

/** Values at the limits of numbers, texts and nesting, and invalid JSON. */
const values: readonly string[] = [
  '1e999',
  '-0',
  '9007199254740993',
  '1'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '1e-999',
  '18446744073709551616',
  '"1e400"',
  `"${'9'.repeat(401)}"`,
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  `"${'x'.repeat(70_000)}"`,
  '"__proto__"',
  '{"__proto__":{"kind":"can"}}',
  '{"constructor":1}',
  '[]',
  '{}',
  'null',
  'NaN',
  'Infinity',
  '01',
  '.5',
  '+1',
  "'a'",
  'undefined',
  '"',
  '[1,]',
];

const unexpectedBytes: readonly Buffer[] = [
  Buffer.of(0),
  Buffer.of(0xff),
  Buffer.of(0xc3, 0x28),
  Buffer.of(0xed, 0xa0, 0x80),
  Buffer.of(0xf4, 0x90, 0x80, 0x80),
  Buffer.of(0xe2, 0x82),
  Buffer.of(0xef, 0xbb, 0xbf),
  Buffer.of(0x0a, 0x1f),
];

/** Start and end of values: sufficient for files with usual formatting. */
const valuePattern = /(?<=: ?|[[,] ?\n? *)(?:"[^"\n]*"|-?[\d.e+]+|true|false)/g;
const keyPattern = /"[a-z_0-9]+": ?/g;

const matchOf = (text: Buffer, pattern: RegExp, random: Random) => {
  const found = [...text.toString('latin1').matchAll(pattern)];
  return found.length === 0 ? undefined : pick(found, random);
};

const deepNesting = (random: Random): string => {
  const depth = pick([10, 200, 5_000, 100_000], random);
  return random(2) === 0 ? '['.repeat(depth) + ']'.repeat(depth) : '{"a":'.repeat(depth);
};

const edits: Readonly<Record<string, Edit>> = {
  truncated: (text, random) => text.subarray(0, random(text.length + 1)),
  flipped: (text, random) => {
    const copy = Buffer.from(text);
    for (let times = 1 + random(4); times > 0 && copy.length > 0; times -= 1) {
      const at = random(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
    }
    return copy;
  },
  'value replaced': (text, random) => {
    const found = matchOf(text, valuePattern, random);
    return found ? spliced(text, found.index, found[0].length, pick(values, random)) : text;
  },
  'value of another': (text, random, donor) => {
    const found = matchOf(text, valuePattern, random);
    const value = matchOf(random(2) === 0 ? text : donor, valuePattern, random);
    return found && value ? spliced(text, found.index, found[0].length, value[0]) : text;
  },
  'key given twice': (text, random) => {
    const found = matchOf(text, keyPattern, random);
    return found ? spliced(text, found.index, 0, `${found[0]}${pick(values, random)}, `) : text;
  },
  'deeply nested': (text, random) => {
    const found = matchOf(text, valuePattern, random);
    return found ? spliced(text, found.index, found[0].length, deepNesting(random)) : text;
  },
  'strange bytes': (text, random) =>
    spliced(text, random(text.length + 1), random(3), pick(unexpectedBytes, random)),
  'a piece repeated': (text, random) => {
    const from = random(text.length + 1);
    return spliced(text, from, 0, text.subarray(from, from + random(400)));
  },
  'a piece of another': (text, random, donor) => {
    const from = random(donor.length + 1);
    const piece = donor.subarray(from, from + random(400));
    return spliced(text, random(text.length + 1), random(400), piece);
  },
};

/** A document with one or two mutations; the donor provides pieces. */
export const fuzzed = (document: Uint8Array, donor: Uint8Array, random: Random): Buffer => {
  let text: Buffer = Buffer.from(document);
  for (let times = 1 + random(2); times > 0; times -= 1) {
    text = pick(Object.values(edits), random)(text, random, Buffer.from(donor));
  }
  return text;
};
