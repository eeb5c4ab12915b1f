import { deflateSync } from 'node:zlib';
import { describe, expect, it as itAlways } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { cases, itOnce as it, itLong } from '../../base/testing/long.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { type ReadTrace, restOf } from '../testing/trace-events.ts';
import type { ByteSource } from '../trace-format.ts';
import { readMf4 } from './read-mf4.ts';
import {
  addData,
  addDataGroup,
  addDataGroups,
  addGroup,
  addHeaderList,
  addList,
  block,
  HandmadeMf4,
  zippedBlock,
} from './testing/handmade-mf4.ts';
import {
  frames,
  groupOf,
  plainBytes,
  plainFile,
  plainGroup,
  plainRecord,
  read,
  replaced,
  secondsChannel,
} from './testing/plain-frames.ts';

const refusalOf = (bytes: Uint8Array): Record<string, unknown> => {
  try {
    read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(BusbarError);
    const { code, message, details } = error as BusbarError;
    return { code, reason: details?.reason, message };
  }
  return {};
};

const refused = (reason: string, message: RegExp) => ({
  code: 'invalid_trace',
  reason,
  message: expect.stringMatching(message),
});

/** A block whose link `index` leads to an offset, which may be its own. */
const withLink = (at: number, id: string, data: number, links: readonly number[]): Buffer => {
  expect(at % 8).toBe(0);
  return block(id, links, Buffer.alloc(data));
};

describe('A hostile MF4 file is refused', () => {
  it.each([
    ['data groups', '##DG', 8],
    ['channel groups', '##CG', 32],
    ['channels', '##CN', 72],
  ])('for %s that are linked in a loop', (_, id, dataBytes) => {
    const file = new HandmadeMf4();
    const links = { '##DG': 4, '##CG': 6, '##CN': 8 }[id] as number;
    const rest: number[] = Array(links - 1).fill(0);
    const second = file.end + 24 + 8 * links + dataBytes;
    const first = file.put(withLink(file.end, id, dataBytes, [second, ...rest]));
    expect(file.put(withLink(file.end, id, dataBytes, [first, ...rest]))).toBe(second);
    if (id === '##DG') file.link(0, first);
    else {
      const group = Buffer.alloc(32);
      group.writeUInt16LE(6, 16);
      const cg = id === '##CG' ? first : file.add('##CG', [0, first, 0, 0, 0, 0], group);
      file.link(0, addDataGroup(file, cg, 0));
    }
    expect(refusalOf(file.bytes())).toEqual(
      refused('link_loop', new RegExp(`The blocks ${id} are linked in a loop at ${first}`)),
    );
  });

  it('for channels that contain themselves', () => {
    const file = new HandmadeMf4();
    const own = file.end;
    const first = file.put(block('##CN', [0, own, 0, 0, 0, 0, 0, 0], Buffer.alloc(72)));
    const group = Buffer.alloc(32);
    group.writeUInt16LE(6, 16);
    const cg = file.add('##CG', [0, first, 0, 0, 0, 0], group);
    file.link(0, addDataGroup(file, cg, 0));
    expect(refusalOf(file.bytes())).toEqual(refused('too_deep', /are nested more than 8 times/));
  });

  it('for channels of which each contains all others', () => {
    const file = new HandmadeMf4();
    const size = 24 + 64 + 72;
    const start = file.end;
    for (let index = 0; index < 100; index++) {
      const next = index < 99 ? start + (index + 1) * size : 0;
      file.put(block('##CN', [next, start, 0, 0, 0, 0, 0, 0], Buffer.alloc(72)));
    }
    const group = Buffer.alloc(32);
    group.writeUInt16LE(6, 16);
    file.link(0, addDataGroup(file, file.add('##CG', [0, start, 0, 0, 0, 0], group), 0));
    expect(refusalOf(file.bytes())).toMatchObject({ code: 'invalid_trace', reason: 'too_deep' });
  });

  itLong('for a million channels', () => {
    const size = 24 + 64 + 72;
    const file = new HandmadeMf4();
    const channel = block('##CN', [0, 0, 0, 0, 0, 0, 0, 0], Buffer.alloc(72));
    const first = file.end + 104 + 64;
    const group = Buffer.alloc(32);
    group.writeUInt16LE(6, 16);
    const channelGroup = file.add('##CG', [0, first, 0, 0, 0, 0], group);
    file.link(0, addDataGroup(file, channelGroup, 0));
    const start = file.bytes();
    expect(start.length).toBe(first);
    // Each channel is followed by the next one, so the file needs no million of them in memory.
    const million: ByteSource = {
      size: first + 1_000_000 * size,
      read: () => 0,
      readAt: (into, at) => {
        if (at < first) return start.copy(into, 0, at);
        const index = Math.floor((at - first) / size);
        channel.writeUIntLE(first + (index + 1) * size, 24, 6);
        return channel.copy(into, 0, at - first - index * size);
      },
    };
    expect(() => readMf4(million)).toThrow(
      expect.objectContaining({ code: 'invalid_trace', message: expect.stringMatching(/200000/) }),
    );
  });

  it('for names that are large and shared by many channels', () => {
    const file = new HandmadeMf4();
    const name = file.text('n'.repeat(60_000));
    let next = 0;
    for (let index = 0; index < 4000; index++) {
      next = file.add('##CN', [next, 0, name, 0, 0, 0, 0, 0], Buffer.alloc(72));
    }
    const group = Buffer.alloc(32);
    group.writeUInt16LE(6, 16);
    file.link(0, addDataGroup(file, file.add('##CG', [0, next, 0, 0, 0, 0], group), 0));
    expect(refusalOf(file.bytes())).toEqual(
      refused('too_many_blocks', /description of the records has more than/),
    );
  });

  it('for more data groups with events than are read', () => {
    const file = new HandmadeMf4();
    const channels = [secondsChannel, { name: 'CAN_DataFrame.ID', byte: 8, bits: 32 }];
    const group = addGroup(file, plainGroup(1, { channels }));
    const data = addData(file, ...frames);
    let next = 0;
    for (let index = 0; index < 10_001; index++) {
      next = addDataGroup(file, group, data, 0, next);
    }
    file.link(0, next);
    expect(refusalOf(file.bytes())).toEqual(
      refused('too_many_groups', /has 10001 data groups with events; up to 10000 are read/),
    );
  });

  const lengths: readonly (readonly [string, { length?: bigint; links?: bigint }])[] = [
    ['a length of 2^64 - 1', { length: 2n ** 64n - 1n }],
    ['a length of 2^63', { length: 2n ** 63n }],
    ['a length beyond the file', { length: 4096n }],
    ['a length below its header', { length: 8n }],
    ['2^64 - 1 links', { links: 2n ** 64n - 1n }],
    ['2^61 links', { links: 2n ** 61n }],
    ['more links than its length', { links: 9n }],
  ];
  it.each(lengths)('for a block of the structure with %s', (_, claims) => {
    const file = new HandmadeMf4();
    file.link(0, file.put(block('##DG', [0, 0, 0, 0], Buffer.alloc(8), claims)));
    const { code, reason } = refusalOf(file.bytes());
    expect(code).toBe('invalid_trace');
    expect(['wrong_length', 'truncated']).toContain(reason);
  });

  it.each([2 ** 40, 2 ** 53, 7, 64])('for a link to %d, where no block is', (link) => {
    const file = new HandmadeMf4();
    file.link(0, link);
    const { code, reason } = refusalOf(file.bytes());
    expect(code).toBe('invalid_trace');
    expect(['truncated', 'wrong_block', 'wrong_length']).toContain(reason);
  });

  it('for record ids of a length that the standard does not have', () => {
    const file = new HandmadeMf4();
    file.link(0, addDataGroup(file, addGroup(file, plainGroup(0)), 0, 3));
    expect(refusalOf(file.bytes())).toEqual(refused('wrong_record_id', /record ids of 3 bytes/));
  });
});

describe('Hostile data of an MF4 file', () => {
  const withData = (add: (file: HandmadeMf4) => number, cycles = 3): ReadTrace => {
    const file = new HandmadeMf4();
    const data = add(file);
    addDataGroups(file, [{ groups: [plainGroup(cycles)], data }]);
    return read(file.bytes());
  };
  const bytes = Buffer.concat(frames);

  it('are read up to a list that is linked in a loop', () => {
    const { events, account } = withData((file) => {
      const part = addData(file, bytes);
      const own = file.end;
      return addList(file, [part], own);
    }, 7);
    expect(events).toHaveLength(3);
    expect(account.errors[0]?.message).toMatch(/lists of data are linked in a loop/);
  });

  it('are not read through a list of lists', () => {
    const { events, account } = withData((file) => {
      const inner = addList(file, [addData(file, bytes)]);
      return addList(file, [inner]);
    });
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toMatch(/No data block is at/);
  });

  it('are not read from a header list that links itself', () => {
    const { events, account } = withData((file) => addHeaderList(file, file.end));
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toMatch(/No block ##DL is at/);
  });

  it('are not read from a list with many links to blocks without bytes', () => {
    const { events, account } = withData((file) => {
      const empty = addData(file);
      return addList(file, Array(100_002).fill(empty));
    });
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toBe('The data have more than 100000 blocks without bytes');
  });

  it.each([
    ['of a bomb', { size: 2n ** 40n }, /claims 1099511627776 bytes/],
    ['that claims more than deflate can', { size: 1_000_000 }, /claims 1000000 bytes/],
    ['that claims fewer bytes than it has', { size: 30 }, /cannot be decompressed/],
    ['that claims more bytes than it has', { size: 80 }, /cannot be decompressed/],
    ['of another method', { method: 2 }, /compression method 2; only deflate/],
    ['of other data', { kind: 'SD' }, /contains SD instead of DT/],
  ])('are not read from a compressed block %s', (_, claims, message) => {
    const { events, account } = withData((file) => file.put(zippedBlock(bytes, 0, claims)));
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toMatch(message);
    expect(account.truncated).toBe(false);
  });

  it('are cut where a compressed block is longer than the file', () => {
    const { events, account } = withData((file) =>
      file.put(zippedBlock(bytes, 0, { zipped: 2n ** 40n })),
    );
    expect(events).toEqual([]);
    expect(account.truncated).toBe(true);
  });

  it('are not one record of all compressed blocks', () => {
    const file = new HandmadeMf4();
    const zeros = file.put(zippedBlock(Buffer.alloc(1024 * 1024)));
    const data = addList(file, Array(4000).fill(zeros));
    const bomb = plainGroup(1, { bytes: 4_000_000_000 });
    addDataGroups(file, [{ groups: [bomb], data }]);
    const { events, account } = read(file.bytes());
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toMatch(/its records have 4000000000 bytes/);
  });

  it('end before a record that claims a length of 2^32 - 1', () => {
    const file = new HandmadeMf4();
    const variable = addGroup(file, { id: 2, flags: 1, bytes: 0, channels: [] });
    const members = replaced('DataBytes', { type: 1, bits: 64, data: variable });
    const group = addGroup(file, groupOf(members, 1, { id: 1 }), variable);
    const data = addData(file, Buffer.of(2, 0xff, 0xff, 0xff, 0xff), Buffer.of(1), plainRecord());
    file.link(0, addDataGroup(file, group, data, 1));
    const { events, account } = read(file.bytes());
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toBe('The last record is incomplete');
  });

  it('have frames that are longer than any', () => {
    const file = new HandmadeMf4();
    const length = Buffer.alloc(4);
    length.writeUInt32LE(5000);
    const link = file.add('##SD', [], Buffer.concat([length, Buffer.alloc(5000)]));
    const members = replaced('DataBytes', { type: 1, bits: 64, data: link }).filter(
      ({ name }) => !/DLC/.test(name),
    );
    const record = plainRecord();
    record[15] = 200;
    addDataGroups(file, [{ groups: [groupOf(members, 1)], data: addData(file, record) }]);
    const { events, account } = read(file.bytes());
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toBe('A frame has an invalid length');
  });

  it('claim 2^64 - 1 records', () => {
    const file = new HandmadeMf4();
    const cycles = Number.MAX_SAFE_INTEGER;
    addDataGroups(file, [{ groups: [plainGroup(cycles)], data: addData(file, ...frames) }]);
    const { events, account } = read(file.bytes());
    expect(events).toHaveLength(3);
    expect(account.errors[0]?.message).toMatch(/claims 9007199254740991 records but has 3/);
  });
});

/** Counts the bytes that a reader asks for. */
class CountingSource implements ByteSource {
  readonly size: number;
  bytes = 0;
  readonly #inner: MemorySource;

  constructor(bytes: Uint8Array) {
    this.size = bytes.length;
    this.#inner = new MemorySource(bytes);
  }

  read(into: Uint8Array): number {
    return this.#inner.read(into);
  }

  readAt(into: Uint8Array, at: number): number {
    const got = this.#inner.readAt(into, at);
    this.bytes += got;
    return got;
  }
}

describe('Many data groups of an MF4 file', () => {
  it('are merged without reading any part of the file again and again', () => {
    const file = new HandmadeMf4();
    const group = addGroup(file, plainGroup(20));
    let next = 0;
    for (let index = 0; index < 500; index++) {
      const records = Array.from({ length: 20 }, (_, turn) => plainRecord({ seconds: turn }));
      next = addDataGroup(file, group, addData(file, ...records), 0, next);
    }
    file.link(0, next);
    const source = new CountingSource(file.bytes());
    expect(restOf(readMf4(source), 4096)).toHaveLength(10_000);
    expect(source.bytes).toBeLessThan(8 * source.size);
  });
});

describe('Damage anywhere in an MF4 file', () => {
  const file = new HandmadeMf4();
  const one = plainFile(frames);
  const records = Array.from({ length: 30 }, () => frames).flat();
  const zipped = file.put(zippedBlock(Buffer.concat(records), plainBytes));
  const plain = addData(file, ...records);
  addDataGroups(file, [
    { groups: [plainGroup(180)], data: addHeaderList(file, addList(file, [zipped, plain])) },
    { groups: [plainGroup(90)], data: zipped },
  ]);
  const two = file.bytes({ version: '4.11' });

  itAlways.each([
    ['small', one],
    ['compressed', two],
  ])('leaves a reader of a %s one with events or a refusal', (_, bytes) => {
    const random = seededRandom(bytes.length);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let run = 0; run < cases(40, 2000); run++) {
      const damaged = Buffer.from(bytes);
      for (let hit = 0; hit <= below(6); hit++) {
        damaged[below(damaged.length)] =
          random() < 0.3 ? ([0, 0xff, 0x80][below(3)] ?? 0) : below(256);
      }
      const cut = random() < 0.2 ? below(damaged.length) : damaged.length;
      const { code } = refusalOf(damaged.subarray(0, cut));
      expect([undefined, 'invalid_trace']).toContain(code);
    }
  });
});

describe('Files that an MF4 file contains', () => {
  const text = Buffer.from('VERSION ""'.repeat(20));
  const read = (flags: number, stored: Uint8Array, original: number, embedded = stored.length) => {
    const file = new HandmadeMf4();
    const [name, mime] = [file.text('v.dbc'), file.text('application/x-dbc')];
    const data = Buffer.alloc(40 + stored.length);
    data.writeUInt16LE(flags, 0);
    data.writeBigUInt64LE(BigInt(original), 24);
    data.writeBigUInt64LE(BigInt(embedded), 32);
    data.set(stored, 40);
    file.link(3, file.add('##AT', [0, name, mime, 0], data));
    const reader = readMf4(new MemorySource(file.bytes()));
    const found = reader.attachments?.() ?? [];
    const texts = found.map(({ bytes }) => Buffer.from(bytes).toString());
    return { texts, skipped: reader.account.skipped };
  };
  const zipped = deflateSync(text);

  it.each<[string, number, Uint8Array, number, number | undefined, boolean]>([
    ['as they are', 1, text, text.length, undefined, true],
    ['compressed', 3, zipped, text.length, undefined, true],
    ['by their names only', 0, text, text.length, undefined, false],
    ['with a length beyond the block', 1, text, text.length, text.length + 1, false],
    ['with another size than they claim', 3, zipped, text.length - 1, undefined, false],
    ['with a size that deflate cannot reach', 3, zipped, 2 ** 26, undefined, false],
    ['with a size beyond all memory', 3, zipped, 2 ** 50, undefined, false],
    ['in a stream that is none', 3, text, 400, undefined, false],
  ])('%s', (_, flags, stored, original, embedded, isRead) => {
    expect(read(flags, stored, original, embedded)).toEqual(
      isRead
        ? { texts: [text.toString()], skipped: {} }
        : { texts: [], skipped: { attachment: 1 } },
    );
  });
});
