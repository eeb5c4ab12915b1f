import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, isLong } from '../../base/testing/long.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { type ReadTrace, readTrace, restOf } from '../testing/trace-events.ts';
import { TraceBatch } from '../trace-batch.ts';
import type { TraceStats } from '../trace-format.ts';
import { readBlf } from './read-blf.ts';
import {
  container,
  file,
  fileHeader,
  message,
  messages,
  object,
  plain,
  words,
} from './testing/blf-bytes.ts';

const read = (...parts: Uint8Array[]): ReadTrace => readTrace(readBlf, file(...parts));
const idsOf = ({ events }: ReadTrace): number[] => events.map(({ id }) => id);
const noErrors = { malformed: 0, truncated: false, skipped: {} };

/** A container that claims one size and inflates to another. */
const lying = (contents: Uint8Array, claimed: number): Buffer => container(contents, { claimed });

describe('containers', () => {
  it('may end anywhere in an object, even in its magic', () => {
    const stream = Buffer.concat([message(1), object(4, Buffer.alloc(31)), message(2), message(3)]);
    for (const wrap of [container, plain]) {
      for (let cut = 0; cut <= stream.length; cut++) {
        const trace = read(wrap(stream.subarray(0, cut)), wrap(stream.subarray(cut)));
        expect(idsOf(trace)).toEqual([1, 2, 3]);
        expect(trace.account).toMatchObject({ ...noErrors, skipped: { statistics: 1 } });
      }
    }
  });

  it('may be of a byte each', () => {
    const stream = messages(3);
    const each = [...stream].map((byte) => container(Buffer.from([byte])));
    expect(idsOf(read(...each))).toEqual([1, 2, 3]);
  });

  it('may be empty', () => {
    const empty = [container(Buffer.alloc(0)), plain(Buffer.alloc(0))];
    const trace = read(...empty, container(message(1)), ...empty, container(message(2)));
    expect(idsOf(trace)).toEqual([1, 2]);
    expect(trace.account).toMatchObject(noErrors);
  });

  it('may be few among objects that stand outside', () => {
    const stream = messages(2, 10);
    const trace = read(
      message(1),
      container(stream.subarray(0, 30)),
      object(115, Buffer.alloc(17)),
      message(2),
      container(stream.subarray(30)),
      message(3),
    );
    expect(idsOf(trace)).toEqual([1, 2, 10, 11, 3]);
    expect(trace.account).toMatchObject({ ...noErrors, skipped: { restore_points: 1 } });
  });

  it('may be larger than usual', () => {
    const trace = read(container(messages(20_000)), plain(messages(20_000)));
    expect(trace.account).toMatchObject({ ...noErrors, events: 40_000 });
  });

  it('cost only themselves where they cannot be inflated', () => {
    const broken = container(messages(5, 10));
    broken.fill(0xff, 40, 50);
    const trace = read(container(messages(2)), broken, container(messages(2, 20)));
    expect(idsOf(trace)).toEqual([1, 2, 20, 21]);
    const at = file(container(messages(2))).length;
    expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
    expect(trace.account.errors).toEqual([
      { at, message: expect.stringContaining('decompressed') },
    ]);
  });

  it('cost the objects that reach into them where they are broken', () => {
    const stream = messages(6);
    const broken = container(stream.subarray(60, 120));
    broken.fill(0xff, 40, 50);
    const trace = read(container(stream.subarray(0, 60)), broken, container(stream.subarray(120)));
    // The damaged one contains the end of 2 and the beginning of 3.
    expect(idsOf(trace)).toEqual([1, 4, 5, 6]);
    expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
  });

  it('are followed to their end where they are shorter than they claim', () => {
    const trace = read(lying(messages(2), 1000), container(messages(1, 20)));
    expect(idsOf(trace)).toEqual([1, 2, 20]);
    expect(trace.account.malformed).toBe(1);
    expect(trace.account.errors[0]?.message).toContain('96 bytes instead of 1000');
  });

  it.each([0, 1, 95, 97, 1000, 0xffff_ffff])(
    'are read to their end where they claim to hold %d bytes and hold 96',
    (claimed) => {
      const trace = read(lying(messages(2), claimed), container(messages(1, 20)));
      expect(idsOf(trace)).toEqual([1, 2, 20]);
      expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
      expect(trace.account.errors[0]?.message).toContain(`${claimed}`);
      expect(trace.account.errors[0]?.at).toBe(fileHeader().length);
    },
  );

  it('cost nothing where an object goes on behind one with a wrong claim', () => {
    const stream = messages(4);
    for (const claimed of [0, 40, 1000]) {
      const trace = read(lying(stream.subarray(0, 60), claimed), container(stream.subarray(60)));
      expect(idsOf(trace)).toEqual([1, 2, 3, 4]);
      expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
    }
  });

  it('are read where they hold far more than they claim, in memory that is bounded', () => {
    const bomb = lying(Buffer.alloc(cases(8_000_000, 50_000_000)), 131_072);
    const trace = read(container(message(1)), bomb, container(message(2)));
    expect(idsOf(trace)).toEqual([1, 2]);
    // One for invalid bytes, and one for the wrong claim.
    expect(trace.account.malformed).toBe(2);
  });

  it('are read to the end of their data where their own size reaches beyond it', () => {
    const tooLong = container(message(1), { size: 5000 });
    const trace = read(tooLong, container(message(2)));
    expect(idsOf(trace)).toEqual([1, 2]);
    expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
  });

  it('are given up where they claim nothing and hold what cannot be inflated', () => {
    const broken = lying(messages(5), 0);
    broken.fill(0xff, 34, 50);
    const trace = read(broken, container(message(2)));
    expect(idsOf(trace)).toEqual([2]);
    expect(trace.account).toMatchObject({ malformed: 1, truncated: false });
  });

  it('are read as far as they go where they claim nothing and the file ends in them', () => {
    const cut = file(lying(messages(50), 0));
    const trace = readTrace(readBlf, cut.subarray(0, cut.length - 6));
    expect(trace.events).toHaveLength(50);
    expect(trace.account).toMatchObject({ malformed: 1, truncated: true });
  });

  it('are given up where the method is unknown', () => {
    const trace = read(container(message(1), { method: 7 }), container(message(2)));
    // Its content is not compressed, so it is found by searching for objects.
    expect(idsOf(trace)).toEqual([1, 2]);
    expect(trace.account.errors[0]?.message).toContain('method 7');
  });

  it('are not opened inside containers', () => {
    const trace = read(container(Buffer.concat([container(message(1)), message(2)])));
    expect(idsOf(trace)).toEqual([2]);
    expect(trace.account.malformed).toBe(1);
  });

  it('need not be complete at the end of the file', () => {
    const stream = messages(50);
    const whole = file(container(stream));
    const withoutChecksum = readTrace(readBlf, whole.subarray(0, whole.length - 4));
    expect(withoutChecksum.events).toHaveLength(50);
    expect(withoutChecksum.account).toMatchObject({ malformed: 0, truncated: true });
    const half = readTrace(readBlf, file(plain(stream)).subarray(0, 144 + 32 + 48 * 20 + 17));
    expect(half.events).toHaveLength(20);
    expect(half.account).toMatchObject({ malformed: 0, truncated: true });
  });
});

describe('a container that is larger than what is inflated at once', () => {
  const count = 360_000;
  const contents = Buffer.alloc(count * message(0x123).length, message(0x123));
  const large = container(contents);
  const tail = container(message(7));

  /** Reads without keeping the events, in reads of the usual size. */
  const idsAndAccount = (bytes: Uint8Array): { ids: Set<number>; account: TraceStats } => {
    const reader = readBlf(new MemorySource(bytes, [65_536]));
    const batch = new TraceBatch(4096);
    const ids = new Set<number>();
    while (reader.read(batch)) for (const id of batch.id.subarray(0, batch.count)) ids.add(id);
    return { ids, account: reader.account };
  };

  it('is read to its end, in pieces', () => {
    const { ids, account } = idsAndAccount(file(large, tail));
    expect(contents.length).toBeGreaterThan(0x100_0000);
    expect(account).toMatchObject({ ...noErrors, events: count + 1 });
    expect(ids).toEqual(new Set([0x123, 7]));
  });

  it('is read to its end where its claim is wrong', () => {
    for (const claimed of [contents.length - 100, 0, contents.length + 100].slice(0, cases(1, 3))) {
      const { account } = idsAndAccount(file(lying(contents, claimed), tail));
      expect(account).toMatchObject({ events: count + 1, malformed: 1, truncated: false });
      expect(account.errors[0]?.message).toContain(`${contents.length} bytes instead of`);
    }
  });

  it.runIf(isLong)('is read to the end of its data where its own size reaches beyond it', () => {
    for (const claimed of [contents.length, 0xffff_ffff]) {
      const tooLong = container(contents, { claimed, size: 15_000_000 });
      const { ids, account } = idsAndAccount(file(tooLong, tail));
      expect(ids).toContain(7);
      expect(account).toMatchObject({ events: count + 1, malformed: 1, truncated: false });
    }
  });

  it('is read as far as it goes where the file ends', () => {
    const { account } = idsAndAccount(file(large).subarray(0, large.length >> 1));
    expect(account.events).toBeGreaterThan(count / 4);
    expect(account.events).toBeLessThan(count);
    expect(account).toMatchObject({ malformed: 0, truncated: true });
  });

  it('is read up to where it is damaged, and costs nothing behind it', () => {
    const damaged = Buffer.from(large);
    const middle = large.length >> 1;
    for (let at = middle; at < middle + 8; at++) damaged[at] = ~(large[at] as number);
    const { ids, account } = idsAndAccount(file(damaged, tail));
    expect(account.events).toBeGreaterThan(count / 4);
    expect(account.malformed).toBeGreaterThan(0);
    expect(account.truncated).toBe(false);
    expect(ids).toContain(7);
  });

  it('is a flaw where its checksum is wrong', () => {
    const wrong = Buffer.from(large);
    const end = wrong.readUInt32LE(8);
    wrong.writeUInt8(wrong.readUInt8(end - 1) ^ 1, end - 1);
    const { account } = idsAndAccount(file(wrong, tail));
    expect(account).toMatchObject({ events: count + 1, malformed: 1 });
    expect(account.errors[0]?.message).toContain('cannot be decompressed beyond');
  });
});

describe('a file that was cut', () => {
  const parts = [
    message(1),
    container(Buffer.concat([messages(3, 10), object(4, Buffer.alloc(10)), message(13)])),
    plain(messages(2, 20)),
    object(65, Buffer.alloc(33)),
    message(2),
  ];
  const whole = file(...parts);
  const ids = idsOf(readTrace(readBlf, whole));
  /** After a part with all or some of its padding, nothing is missing. */
  const clean = new Set<number>();
  let end = 144;
  clean.add(end);
  for (const part of parts) {
    for (let at = part.readUInt32LE(8); at <= part.length; at++) clean.add(end + at);
    end += part.length;
  }

  it('is read as far as it goes, at whichever byte it ends', () => {
    expect(ids).toEqual([1, 10, 11, 12, 13, 20, 21, 2]);
    for (let length = 144; length < whole.length; length++) {
      const trace = readTrace(readBlf, whole.subarray(0, length));
      expect(idsOf(trace)).toEqual(ids.slice(0, trace.events.length));
      expect(trace.account.malformed).toBe(0);
      expect(trace.account.truncated).toBe(!clean.has(length));
    }
  });

  it('is read the same whatever the source gives at a time', () => {
    const cut = whole.subarray(0, whole.length - 5);
    const expected = readTrace(readBlf, cut);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (sizes, capacity) => {
          expect(readTrace(readBlf, cut, sizes, capacity)).toEqual(expected);
        },
      ),
      { seed: 1, numRuns: cases(8, 100) },
    );
  });
});

describe('objects', () => {
  it('may have any padding up to eight bytes', () => {
    for (let padding = 0; padding <= 8; padding++) {
      const padded = message(1, { padding: Buffer.alloc(padding, 0x4c) });
      const trace = read(container(Buffer.concat([padded, padded, padded])));
      expect(idsOf(trace)).toEqual([1, 1, 1]);
      expect(trace.account.malformed).toBe(0);
    }
  });

  it('are searched for behind anything else, which is one flaw', () => {
    const junk = Buffer.concat([Buffer.alloc(3000, 'LOB'), Buffer.from('LOBJ'), Buffer.alloc(50)]);
    for (const wrap of [container, plain, (contents: Uint8Array) => contents]) {
      const trace = read(wrap(Buffer.concat([message(1), junk, message(2)])));
      expect(idsOf(trace)).toEqual([1, 2]);
      expect(trace.account.malformed).toBe(1);
    }
    const outside = read(message(1), junk, message(2));
    expect(outside.account.errors).toEqual([{ at: 192, message: 'No object begins here' }]);
  });

  it('never stop the reader by a size that cannot be', () => {
    for (const size of [0, 1, 15, 16, 31, 0xffff_ffff]) {
      const bad = message(1);
      bad.writeUInt32LE(size, 8);
      for (const wrap of [container, (contents: Uint8Array) => contents]) {
        const trace = read(wrap(Buffer.concat([bad, message(2), message(3)])));
        expect(idsOf(trace)).toEqual([2, 3]);
        expect(trace.account.malformed).toBe(1);
      }
    }
  });

  it('are not followed where their headers cannot be', () => {
    const change = (at: number, value: number) => {
      const bad = message(1);
      bad.writeUInt16LE(value, at);
      return bad;
    };
    for (const bad of [change(4, 15), change(4, 49), change(4, 16), change(12, 0x1000)]) {
      const trace = read(container(Buffer.concat([bad, message(2)])));
      expect(idsOf(trace)).toEqual([2]);
      expect(trace.account.malformed).toBe(1);
    }
  });

  it('that are passed over may be large, and need no memory', () => {
    const large = Buffer.alloc(1_000_000, 'LOBJ');
    const trace = read(container(Buffer.concat([object(72, large), message(1)])));
    expect(idsOf(trace)).toEqual([1]);
    const damaged = object(72, words([4, 0]));
    damaged.writeUInt32LE(0x2000_0000, 8);
    const next = read(container(Buffer.concat([damaged, message(1)])));
    expect(idsOf(next)).toEqual([1]);
    expect(next.account).toMatchObject({ malformed: 1, truncated: false });
  });

  it('of which nothing but rubbish is left are a flaw at the end', () => {
    const trace = read(container(Buffer.concat([message(1), Buffer.alloc(12, 1)])));
    expect(trace.account).toMatchObject({ events: 1, malformed: 1, truncated: false });
    const header = read(container(Buffer.concat([message(1), message(2).subarray(0, 12)])));
    expect(header.account).toMatchObject({ events: 1, malformed: 0, truncated: true });
  });
});

describe('damage', () => {
  const stream = Buffer.concat([
    messages(20),
    object(57, Buffer.alloc(152, 3)),
    object(101, Buffer.alloc(48, 1)),
    object(65, Buffer.alloc(41)),
    messages(20, 100),
  ]);
  const original = file(plain(stream.subarray(0, 700)), container(stream.subarray(700)));
  const hit = fc.tuple(fc.integer({ min: 144, max: original.length - 1 }), fc.nat({ max: 255 }));

  it('is survived anywhere', () => {
    fc.assert(
      fc.property(fc.array(hit, { minLength: 1, maxLength: 8 }), (hits) => {
        const damaged = Buffer.from(original);
        for (const [at, byte] of hits) damaged[at] = byte;
        const reader = readBlf(new MemorySource(damaged, [97]));
        const events = restOf(reader);
        expect(reader.account.events).toBe(events.length);
        expect(reader.position).toBe(damaged.length);
        for (const { data, dlc } of events)
          expect(data.length).toBeLessThanOrEqual(dlc > 8 ? 64 : 8);
      }),
      { seed: 2, numRuns: cases(40, 500) },
    );
  });

  it('is survived by what looks like objects but is random', () => {
    const random = fc.array(
      fc.oneof(
        fc.constant(Buffer.from('LOBJ')),
        fc.constant(message(1).subarray(0, 16)),
        fc.constant(message(1)),
        fc.constant(container(message(2))),
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(random, (parts) => {
        const bytes = file(...parts);
        const expected = readTrace(readBlf, bytes);
        expect(readTrace(readBlf, bytes, [1, 7])).toEqual(expected);
      }),
      { seed: 3, numRuns: cases(25, 300) },
    );
  });
});
