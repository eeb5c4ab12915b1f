import { describe, expect, it } from 'vitest';
import { eventText } from '../testing/event-text.ts';
import type { ReadTrace } from '../testing/trace-events.ts';
import {
  addData,
  addDataGroup,
  addDataGroups,
  addGroup,
  addHeaderList,
  addList,
  addValueList,
  block,
  type HandmadeChannel,
  HandmadeMf4,
  zippedBlock,
} from './testing/handmade-mf4.ts';
import {
  complete,
  frames,
  frameTexts,
  groupOf,
  plainBytes,
  plainGroup,
  plainRecord,
  read,
  replaced,
  secondsChannel,
  textsOf,
} from './testing/plain-frames.ts';

describe('Data of an MF4 file', () => {
  const bytes = Buffer.concat(Array.from({ length: 40 }, () => frames).flat());
  const all = Array.from({ length: 40 }, () => frameTexts).flat();
  const withData = (add: (file: HandmadeMf4) => number, cycles = 120): ReadTrace => {
    const file = new HandmadeMf4();
    const data = add(file);
    addDataGroups(file, [{ groups: [plainGroup(cycles)], data }]);
    return read(file.bytes());
  };
  const sorted = (events: ReadTrace['events']): string[] => events.map(eventText);

  it.each([
    ['a block', (file: HandmadeMf4) => addData(file, bytes)],
    ['a compressed block', (file: HandmadeMf4) => file.put(zippedBlock(bytes))],
    ['a transposed block', (file: HandmadeMf4) => file.put(zippedBlock(bytes, plainBytes))],
    [
      'a transposed block with a rest',
      (file: HandmadeMf4) => file.put(zippedBlock(bytes, plainBytes + 1)),
    ],
    [
      'a block that is transposed in one row',
      (file: HandmadeMf4) => file.put(zippedBlock(bytes, 1, { columns: 0xffff_ffff, method: 1 })),
    ],
    [
      'a list of blocks that end within records',
      (file: HandmadeMf4) => {
        const cuts = [0, 1, 24, 25, 26, 26, 99, 1000, bytes.length];
        const parts = cuts
          .slice(1)
          .map((to, index) => addData(file, bytes.subarray(cuts[index], to)));
        return addList(file, parts);
      },
    ],
    [
      'a chain of lists of compressed and other blocks',
      (file: HandmadeMf4) => {
        const last = addList(file, [addData(file, bytes.subarray(700))]);
        const first = file.put(zippedBlock(bytes.subarray(0, 310), plainBytes));
        const second = file.put(zippedBlock(bytes.subarray(310, 700)));
        return addHeaderList(file, addList(file, [first, second], last));
      },
    ],
    [
      'lists of values, also compressed, with other links after them',
      (file: HandmadeMf4) => {
        const unused = file.add('##DI', [], Buffer.alloc(8));
        const values = (from: number, to?: number): number =>
          file.add('##DV', [], bytes.subarray(from, to));
        const zipped = zippedBlock(bytes.subarray(500, 700), plainBytes, { kind: 'DV' });
        const last = addValueList(file, [file.put(zipped), values(700)]);
        return addValueList(file, [values(0, 310), values(310, 500)], last, [unused, unused]);
      },
    ],
  ])('is read from %s', (_, add) => {
    const { events, account } = withData(add);
    expect(sorted(events)).toEqual(all);
    expect(account).toMatchObject(complete);
  });

  const valuesIn = (file: HandmadeMf4): number => file.add('##DV', [], bytes);
  const zippedValues = (file: HandmadeMf4): number =>
    file.put(zippedBlock(bytes, plainBytes, { kind: 'DV' }));
  const splitList = (file: HandmadeMf4, next = 0): number =>
    addValueList(file, [valuesIn(file)], next, [file.add('##DI', [], Buffer.alloc(120))]);

  it.each([
    ['a list', (file: HandmadeMf4) => addValueList(file, [valuesIn(file)])],
    ['a list that links to them', (file: HandmadeMf4) => splitList(file)],
    ['the list of a header', (file: HandmadeMf4) => addHeaderList(file, splitList(file))],
    ['a list after another', (file: HandmadeMf4) => addList(file, [], splitList(file))],
    ['another list', (file: HandmadeMf4) => addHeaderList(file, addList(file, [valuesIn(file)]))],
    ['no list', valuesIn],
    ['no list, compressed', zippedValues],
  ])('is not read from values in %s whose invalidation bits are elsewhere', (_, add) => {
    const file = new HandmadeMf4();
    const data = add(file);
    addDataGroups(file, [{ groups: [plainGroup(120, { invalidBytes: 1 })], data }]);
    const { events, account } = read(file.bytes());
    expect(events).toEqual([]);
    expect(account.errors[0]?.message).toBe(
      'The data have their invalidation bits in blocks of their own',
    );
  });

  it('is read up to a list of values that leads back to itself', () => {
    const { events, account } = withData((file) => {
      const values = file.add('##DV', [], bytes);
      return addValueList(file, [values], file.end);
    }, 121);
    expect(sorted(events)).toEqual(all);
    expect(account.errors[0]?.message).toContain('linked in a loop');
  });

  it('is read up to a block of values beyond the file', () => {
    const { events, account } = withData(
      (file) => addValueList(file, [file.add('##DV', [], bytes), 2 ** 40]),
      121,
    );
    expect(sorted(events)).toEqual(all);
    expect(account.truncated).toBe(true);
  });

  it('ends with the records that the group claims', () => {
    const { events, account } = withData((file) => addData(file, bytes), 2);
    expect(sorted(events)).toEqual(frameTexts.slice(0, 2));
    expect(account).toMatchObject(complete);
  });

  it('can be missing', () => {
    expect(withData(() => 0, 0)).toMatchObject({ events: [], account: complete });
    const claimed = withData(() => 0, 3);
    expect(claimed.account).toMatchObject({
      malformed: 1,
      errors: [{ message: 'A group claims 3 records but has 0' }],
    });
  });

  it('merges data groups by time, and those of the same time in the order of the groups', () => {
    const file = new HandmadeMf4();
    const part = (channel: number, ...seconds: readonly number[]) => {
      const records = seconds.map((each) => plainRecord({ seconds: each, channel }));
      return { groups: [plainGroup(records.length)], data: addData(file, ...records) };
    };
    addDataGroups(file, [part(1, 1, 3, 5), part(2, 1, 2, 6), part(3, 0, 5)]);
    const { events } = read(file.bytes());
    expect(events.map(({ timeNs, channel }) => [timeNs / 1e9, channel])).toEqual([
      [0, 3],
      [1, 1],
      [1, 2],
      [2, 2],
      [3, 1],
      [5, 1],
      [5, 3],
      [6, 2],
    ]);
  });

  it.each([1, 2, 4, 8])('is read unsorted with record ids of %d bytes', (idBytes) => {
    const file = new HandmadeMf4();
    const id = (value: number): Buffer => {
      const of = Buffer.alloc(8);
      of.writeUInt32LE(value);
      return of.subarray(0, idBytes);
    };
    const other = Buffer.from([1, 2, 3, 4, 5, 6, 7]);
    const records = frames.flatMap((each) => [id(5), each, id(200), other]);
    const data = addData(file, ...records);
    const channels = [secondsChannel];
    const groups = [
      plainGroup(3, { id: 5 }),
      { id: 200, flags: 0, bytes: 6, invalidBytes: 1, cycles: 3, channels },
    ];
    addDataGroups(file, [{ groups, data, idBytes }]);
    const { events, account } = read(file.bytes());
    expect(sorted(events)).toEqual(frameTexts);
    expect(account).toMatchObject({ ...complete, skipped: { signal_group: 1 } });
  });

  it('ends at a record with an unknown id, and says where', () => {
    const file = new HandmadeMf4();
    const [first, second] = frames;
    const data = addData(file, Buffer.of(1), first, Buffer.of(9), second);
    addDataGroups(file, [{ groups: [plainGroup(2, { id: 1 })], data, idBytes: 1 }]);
    const { events, account } = read(file.bytes());
    expect(sorted(events)).toEqual(frameTexts.slice(0, 1));
    const message = 'A record has the unknown id 9; the data after it are not read';
    const at = data + 24 + 1 + plainBytes;
    expect(account).toMatchObject({ malformed: 1, errors: [{ at, message }] });
  });

  it('has invalidation bits, after which a frame without an ID is none', () => {
    const members = replaced('ID', { flags: 2, invalidBit: 1 }).map((each) =>
      each.name.endsWith('Dir') ? { ...each, flags: 2, invalidBit: 9 } : each,
    );
    const record = (...invalid: readonly number[]): Buffer =>
      Buffer.concat([plainRecord({ sent: true }), Buffer.from(invalid)]);
    const file = new HandmadeMf4();
    const data = addData(file, record(0, 0), record(2, 0), record(1, 0), record(0, 2));
    const groups = [groupOf(members, 4, { invalidBytes: 2 })];
    addDataGroups(file, [{ groups, data }]);
    const { events, account } = read(file.bytes());
    const sent = '0 1 tx can 123 - 0';
    expect(sorted(events)).toEqual([sent, sent, '0 1 rx can 123 - 0']);
    expect(account).toMatchObject({ ...complete, skipped: { invalid: 1 } });
  });
});

describe('Payloads of variable length in an MF4 file', () => {
  const payloads = [[1, 2, 3], [], [4, 5, 6, 7, 8, 9, 10, 11]];
  const sized = (data: readonly number[]): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([length, Buffer.from(data)]);
  };
  const offsets = payloads.map((_, index) =>
    payloads.slice(0, index).reduce((sum, { length }) => sum + 4 + length, 0),
  );
  const recordOf = (index: number, offset = offsets[index] ?? 0): Buffer => {
    const record = plainRecord({ seconds: index, data: payloads[index] ?? [] });
    record.writeBigUInt64LE(BigInt(offset), 17);
    return record;
  };
  const membersAt = (data: number): HandmadeChannel[] =>
    replaced('DataBytes', { type: 1, bits: 64, data });
  const expected = [
    '0 1 rx can 123 - 3 010203',
    '1000000000 1 rx can 123 - 0',
    '2000000000 1 rx can 123 - 8 0405060708090A0B',
  ];

  it('are in blocks of signal data', () => {
    const parts = Buffer.concat(payloads.map(sized));
    for (const add of [
      (file: HandmadeMf4) => file.add('##SD', [], parts),
      (file: HandmadeMf4) => file.put(zippedBlock(parts, 0, { kind: 'SD' })),
      (file: HandmadeMf4) =>
        addList(file, [
          file.add('##SD', [], parts.subarray(0, 5)),
          file.add('##SD', [], parts.subarray(5)),
        ]),
    ]) {
      const file = new HandmadeMf4();
      const link = add(file);
      const data = addData(file, recordOf(0), recordOf(1), recordOf(2));
      addDataGroups(file, [{ groups: [groupOf(membersAt(link), 3)], data }]);
      const { events, account } = read(file.bytes());
      expect(events.map(eventText)).toEqual(expected);
      expect(account).toMatchObject(complete);
    }
  });

  const unsorted = (unfinalized = 0, order: readonly number[] = [0, 1, 2]): Buffer => {
    const file = new HandmadeMf4();
    const records = order.flatMap((index) => [
      Buffer.of(2),
      sized(payloads[index] ?? []),
      Buffer.of(1),
      recordOf(index, (unfinalized & 0x40) === 0 ? offsets[index] : 0),
    ]);
    const data = addData(file, ...records);
    const variable = addGroup(file, { id: 2, flags: 1, bytes: 23, cycles: 3, channels: [] });
    const group = groupOf(membersAt(variable), 3, { id: 1 });
    file.link(0, addDataGroup(file, addGroup(file, group, variable), data, 1));
    return file.bytes({ unfinalized });
  };

  it('are in a group of their own', () => {
    const { events, account } = read(unsorted());
    expect(events.map(eventText)).toEqual(expected);
    expect(account).toMatchObject(complete);
  });

  it('follow one another where the file was not closed and has no offsets', () => {
    const { events } = read(unsorted(0x40 | 0x20 | 1));
    expect(events.map(eventText)).toEqual(expected);
  });

  it('are missing at an offset without one', () => {
    const file = new HandmadeMf4();
    const link = file.add('##SD', [], sized([1, 2, 3]));
    const data = addData(file, recordOf(0), recordOf(2, 9999));
    addDataGroups(file, [{ groups: [groupOf(membersAt(link), 2)], data }]);
    const { events, account } = read(file.bytes());
    expect(events.map(eventText)).toEqual(expected.slice(0, 1));
    expect(account).toMatchObject({
      malformed: 1,
      errors: [{ at: data + 24 + plainBytes, message: 'The data of a frame are missing' }],
    });
  });
});

describe('An MF4 file that was not closed', () => {
  const dataFlag = 4;
  const dataGroupBytes = 64;
  /** Data at the end, whose length is that of an empty block. */
  const growing = (unfinalized: number, more: Uint8Array = Buffer.alloc(0)): Buffer => {
    const file = new HandmadeMf4();
    const group = addGroup(file, plainGroup(0));
    const dataGroup = addDataGroup(file, group, file.end + dataGroupBytes);
    file.link(0, dataGroup);
    expect(file.end).toBe(dataGroup + dataGroupBytes);
    const rest = Buffer.concat([...frames, more]);
    return Buffer.concat([file.bytes({ unfinalized }), block('##DT', [], rest, { length: 24 })]);
  };

  it('has the records up to its end', () => {
    const { events, account } = read(growing(1 | dataFlag));
    expect(events.map(eventText)).toEqual(frameTexts);
    expect(account).toMatchObject(complete);
    expect(textsOf(growing(dataFlag))).toEqual(frameTexts);
  });

  it('is cut within its last record', () => {
    const { events, account } = read(growing(1 | dataFlag, frames[0]?.subarray(0, 7)));
    expect(events.map(eventText)).toEqual(frameTexts);
    expect(account).toMatchObject({ malformed: 0, truncated: true });
  });

  it('has data up to the block after them', () => {
    const file = new HandmadeMf4();
    const data = file.put(block('##DT', [], Buffer.concat(frames.slice(0, 2)), { length: 24 }));
    const padding = 8 - ((2 * plainBytes) % 8);
    addDataGroups(file, [{ groups: [plainGroup(2)], data }]);
    const { events, account } = read(file.bytes({ unfinalized: dataFlag }));
    expect(padding).toBe(6);
    expect(events.map(eventText)).toEqual(frameTexts.slice(0, 2));
    expect(account).toMatchObject(complete);
  });

  it('counts its records itself where the counts are missing', () => {
    const file = new HandmadeMf4();
    const data = addData(file, ...frames);
    addDataGroups(file, [{ groups: [plainGroup(1)], data }]);
    expect(textsOf(file.bytes({ unfinalized: 1 }))).toEqual(frameTexts);
    expect(textsOf(file.bytes())).toEqual(frameTexts.slice(0, 1));
  });

  it('has a list of data whose last block grows, whatever its flags say of the list', () => {
    for (const unfinalized of [1 | dataFlag, 1 | dataFlag | 0x10]) {
      const file = new HandmadeMf4();
      const [first, second, third] = frames;
      const one = addData(file, first);
      const listAt = file.end;
      const list = addList(file, [one, listAt + 24 + 8 * 3 + 24]);
      expect(list).toBe(listAt);
      const two = file.put(block('##DT', [], Buffer.concat([second, third]), { length: 24 }));
      expect(two).toBe(listAt + 72);
      addDataGroups(file, [{ groups: [plainGroup(0)], data: list }]);
      expect(textsOf(file.bytes({ unfinalized }))).toEqual(frameTexts);
    }
  });
});
