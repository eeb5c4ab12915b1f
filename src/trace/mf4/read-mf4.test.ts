import { describe, expect, it } from 'vitest';
import { eventText } from '../testing/event-text.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { restOf } from '../testing/trace-events.ts';
import { readMf4 } from './read-mf4.ts';
import {
  addData,
  addDataGroups,
  addLinear,
  addValueTexts,
  type HandmadeChannel,
  HandmadeMf4,
} from './testing/handmade-mf4.ts';
import {
  complete,
  frames,
  frameTexts,
  groupOf,
  plainBytes,
  plainFile,
  plainGroup,
  plainMembers,
  plainRecord,
  read,
  replaced,
  secondsChannel,
  structure,
  textsOf,
} from './testing/plain-frames.ts';

const without = (...names: readonly string[]): HandmadeChannel[] =>
  plainMembers.filter(({ name }) => !names.includes(name.slice(name.indexOf('.') + 1)));

/** A sorted file whose one group has these members. */
const fileOf = (members: readonly HandmadeChannel[], records: readonly Uint8Array[]): Buffer => {
  const file = new HandmadeMf4();
  const data = addData(file, ...records);
  addDataGroups(file, [{ groups: [groupOf(members, records.length)], data }]);
  return file.bytes();
};

describe('An MF4 file of another program', () => {
  it.each(['4.00', '4.10', '4.11', '4.20'])('is read in version %s', (version) => {
    const trace = read(plainFile(frames, { version }));
    expect(trace.events.map(eventText)).toEqual(frameTexts);
    expect(trace.account).toMatchObject(complete);
  });

  it.each([
    ['3.30', 'unsupported_version', /has MDF version 3\.30/],
    ['5.00', 'unsupported_version', /has MDF version 5\.00/],
  ])('is refused in version %s', (version, reason, message) => {
    expect(() => read(plainFile(frames, { version }))).toThrow(
      expect.objectContaining({
        code: 'invalid_trace',
        message: expect.stringMatching(message),
        details: expect.objectContaining({ reason }),
      }),
    );
  });

  it('is read from a pipe', () => {
    const inner = new MemorySource(plainFile(frames), [1, 7, 100]);
    const reader = readMf4({ size: null, read: (into) => inner.read(into) });
    expect(restOf(reader).map(eventText)).toEqual(frameTexts);
  });

  it('is read without a structure around the members, and in any order of them', () => {
    const file = new HandmadeMf4();
    const data = addData(file, ...frames);
    const channels = [...plainMembers].reverse().concat(secondsChannel);
    addDataGroups(file, [{ groups: [plainGroup(3, { channels })], data }]);
    expect(textsOf(file.bytes())).toEqual(frameTexts);
  });

  it('is read with one message per group, whatever follows the name of the structure', () => {
    const file = new HandmadeMf4();
    const members = plainMembers.map((each) => ({
      ...each,
      name: each.name.replace('CAN_DataFrame', 'CAN_DataFrame_291'),
    }));
    const channels = [secondsChannel, structure('CAN_DataFrame_291', plainBytes, members)];
    const data = addData(file, ...frames);
    addDataGroups(file, [{ groups: [plainGroup(3, { channels })], data }]);
    expect(textsOf(file.bytes())).toEqual(frameTexts);
  });

  it('has an extended frame where the ID says so and IDE is missing', () => {
    const records = [
      plainRecord({ id: 0x8000_0123 }),
      plainRecord({ id: 0x800 }),
      plainRecord({ id: 0x7ff }),
    ];
    expect(textsOf(fileOf(without('IDE'), records))).toEqual([
      '0 1 rx can 123 extended 0',
      '0 1 rx can 800 extended 0',
      '0 1 rx can 7FF - 0',
    ]);
  });

  it('has defaults for members that are missing', () => {
    const bare = without('BusChannel', 'IDE', 'Dir', 'DLC');
    expect(textsOf(fileOf(bare, [plainRecord({ channel: 7, sent: true, data: [9] })]))).toEqual([
      '0 1 rx can 123 - 1 09',
    ]);
    const unmeasured = without('DLC', 'DataLength');
    expect(textsOf(fileOf(unmeasured, [plainRecord({ data: [9] })]))).toEqual([
      '0 1 rx can 123 - 8 0900000000000000',
    ]);
  });

  it('has a direction in words', () => {
    const text = replaced('Dir', { dataType: 6, bits: 8 });
    const sent = plainRecord();
    sent.write('T', 16);
    const received = plainRecord();
    received.write('R', 16);
    expect(textsOf(fileOf(text, [sent, received]))).toEqual([
      '0 1 tx can 123 - 0',
      '0 1 rx can 123 - 0',
    ]);
    const file = new HandmadeMf4();
    const conversion = addValueTexts(file, [
      [0, 'Tx'],
      [1, 'Rx'],
    ]);
    const data = addData(file, plainRecord({ sent: false }), plainRecord({ sent: true }));
    addDataGroups(file, [{ groups: [groupOf(replaced('Dir', { conversion }), 2)], data }]);
    expect(textsOf(file.bytes())).toEqual(['0 1 tx can 123 - 0', '0 1 rx can 123 - 0']);
  });

  it('has big-endian members, and members across bytes', () => {
    const record = plainRecord({ channel: 3, data: [0xab] });
    record.writeUInt32BE(0x123, 9);
    expect(textsOf(fileOf(replaced('ID', { dataType: 1 }), [record]))).toEqual([
      '0 3 rx can 123 - 1 AB',
    ]);
    const shifted = plainRecord({ data: [0xab] });
    shifted.writeUInt32LE(0x123 << 3, 9);
    expect(textsOf(fileOf(replaced('ID', { bit: 3, bits: 11 }), [shifted]))).toEqual([
      '0 1 rx can 123 - 1 AB',
    ]);
  });

  it('has frames of CAN FD, with DLC or length alone', () => {
    const bytes = 84;
    const members = [
      ...without('DataBytes'),
      { name: 'CAN_DataFrame.EDL', byte: 17, bits: 8 },
      { name: 'CAN_DataFrame.BRS', byte: 18, bits: 8 },
      { name: 'CAN_DataFrame.ESI', byte: 19, bits: 8 },
      { name: 'CAN_DataFrame.DataBytes', byte: 20, bits: 512, dataType: 10 },
    ];
    const record = (dlc: number, length: number, ...flags: readonly number[]): Buffer => {
      const all = Buffer.concat([plainRecord(), Buffer.alloc(bytes - plainBytes)]);
      all.fill(0x55, 20);
      all[14] = dlc;
      all[15] = length;
      all.set(flags, 17);
      return all;
    };
    const file = (each: readonly HandmadeChannel[]): Buffer => {
      const draft = new HandmadeMf4();
      const data = addData(
        draft,
        record(9, 12, 1, 1, 0),
        record(15, 8, 0, 1, 1),
        record(8, 8, 1, 0, 1),
      );
      const channels = [secondsChannel, structure('CAN_DataFrame', bytes, each)];
      addDataGroups(draft, [{ groups: [{ bytes, cycles: 3, channels }], data }]);
      return draft.bytes();
    };
    const eight = '5555555555555555';
    expect(textsOf(file(members))).toEqual([
      `0 1 rx canfd 123 fd|brs 9 ${eight}55555555`,
      `0 1 rx can 123 - 15 ${eight}`,
      `0 1 rx canfd 123 fd|esi 8 ${eight}`,
    ]);
    const undeclared = members.filter(({ name }) => !/EDL|DLC/.test(name));
    expect(textsOf(file(undeclared))).toEqual([
      `0 1 rx canfd 123 fd|brs 9 ${eight}55555555`,
      `0 1 rx can 123 - 8 ${eight}`,
      `0 1 rx can 123 - 8 ${eight}`,
    ]);
  });
});

describe('Times of an MF4 file', () => {
  const timesOf = (
    channel: Partial<HandmadeChannel>,
    times: readonly Uint8Array[],
    linear?: readonly [offset: number, factor: number],
  ): number[] => {
    const file = new HandmadeMf4();
    const records = times.map((time) => Buffer.concat([time, plainRecord().subarray(8)]));
    const data = addData(file, ...records);
    const conversion = linear ? addLinear(file, ...linear) : 0;
    const channels = [
      { ...secondsChannel, conversion, ...channel },
      structure('CAN_DataFrame', plainBytes, plainMembers),
    ];
    addDataGroups(file, [{ groups: [plainGroup(times.length, { channels })], data }]);
    return read(file.bytes()).events.map(({ timeNs }) => timeNs);
  };

  const double = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  };
  const integer = (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  };

  it('are seconds as floating-point numbers', () => {
    expect(timesOf({}, [double(0.000137), double(1.5), double(86_400.000001)])).toEqual([
      137_000, 1_500_000_000, 86_400_000_001_000,
    ]);
    expect(timesOf({ dataType: 5 }, [double(1.5).reverse()])).toEqual([1_500_000_000]);
  });

  it('are whole nanoseconds and exact, or any unit with an offset', () => {
    const nanoseconds = { dataType: 0 };
    const large = 8_640_000_123_456_789n;
    expect(timesOf(nanoseconds, [integer(large)], [0, 1e-9])).toEqual([Number(large)]);
    expect(timesOf(nanoseconds, [integer(1500n)], [0, 1e-6])).toEqual([1_500_000]);
    expect(timesOf(nanoseconds, [integer(40n)], [0.5, 2.5e-8])).toEqual([500_001_000]);
    expect(timesOf({ dataType: 0, bits: 32 }, [integer(0xffff_ffff_0000_0005n)], [0, 1])).toEqual([
      5_000_000_000,
    ]);
  });

  it('follow from the number of the record with a virtual master', () => {
    const records = [double(9), double(9), double(9)];
    expect(timesOf({ type: 3, bits: 0, dataType: 0 }, records, [0.25, 0.5])).toEqual([
      250_000_000, 750_000_000, 1_250_000_000,
    ]);
  });

  it('are 0 where they are no numbers', () => {
    expect(timesOf({}, [double(Number.NaN), double(Number.POSITIVE_INFINITY)])).toEqual([0, 0]);
  });

  it.each([
    ['UTC', {}, 1_767_225_600_000_000],
    ['local time with offsets', { timeFlags: 3, timeZoneMinutes: 60, summerMinutes: 60 }, -7200],
    ['a zone that only describes', { timeFlags: 2, timeZoneMinutes: 60 }, 0],
    ['no date', { startNs: 0n }, null],
  ])('count from a start in %s', (_, header, expected) => {
    const { startUnixUs } = read(plainFile(frames, header));
    const utc = 1_767_225_600_000_000;
    const isShift = expected !== null && Math.abs(expected) < 1e6;
    expect(startUnixUs).toBe(isShift ? utc + expected * 1e6 : expected);
  });

  it('count from a start with nanoseconds', () => {
    const { startUnixUs, events } = read(plainFile(frames, { startNs: 1_000_000_789n }));
    expect(startUnixUs).toBe(1_000_000);
    expect(events[0]?.timeNs).toBe(500_000_789);
  });
});
