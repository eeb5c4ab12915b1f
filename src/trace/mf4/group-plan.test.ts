import { describe, expect, it } from 'vitest';
import { eventText } from '../testing/event-text.ts';
import { MemorySource } from '../testing/memory-bytes.ts';
import { type ReadTrace, restOf } from '../testing/trace-events.ts';
import { readMf4 } from './read-mf4.ts';
import {
  addData,
  addDataGroups,
  addSource,
  type HandmadeChannel,
  type HandmadeGroup,
  HandmadeMf4,
} from './testing/handmade-mf4.ts';
import {
  complete,
  frames,
  frameTexts,
  plainGroup,
  plainRecord,
  read,
  secondsChannel,
  structure,
} from './testing/plain-frames.ts';

describe('Groups of an MF4 file', () => {
  const bytes = 32;
  const can = (of: string): HandmadeChannel[] => [
    { name: `${of}.BusChannel`, byte: 8, bits: 8 },
    { name: `${of}.ID`, byte: 9, bits: 29 },
    { name: `${of}.IDE`, byte: 12, bits: 1, bit: 7 },
    { name: `${of}.DLC`, byte: 13, bits: 4 },
    { name: `${of}.Dir`, byte: 13, bits: 1, bit: 4 },
  ];
  const lin = (of: string): HandmadeChannel[] => [
    { name: `${of}.BusChannel`, byte: 8, bits: 8 },
    { name: `${of}.ID`, byte: 9, bits: 6 },
    { name: `${of}.Dir`, byte: 9, bits: 1, bit: 7 },
    { name: `${of}.ReceivedDataByteCount`, byte: 10, bits: 4 },
    { name: `${of}.DataLength`, byte: 10, bits: 4, bit: 4 },
    { name: `${of}.DataBytes`, byte: 11, bits: 64, dataType: 10 },
    { name: `${of}.Checksum`, byte: 19, bits: 8 },
    { name: `${of}.ChecksumModel`, byte: 20, bits: 8, dataType: 2 },
  ];
  const record = (from: readonly number[]): Buffer => {
    const all = Buffer.alloc(bytes);
    all.set(from, 8);
    return all;
  };
  const readGroup = (
    of: string,
    members: readonly HandmadeChannel[],
    records: readonly (readonly number[])[],
    add: (file: HandmadeMf4) => Partial<HandmadeGroup> = () => ({}),
  ): ReadTrace => {
    const file = new HandmadeMf4();
    const data = addData(file, ...records.map(record));
    const channels = [secondsChannel, structure(of, bytes, members)];
    const group = { bytes, cycles: records.length, channels, ...add(file) };
    addDataGroups(file, [{ groups: [group], data }]);
    return read(file.bytes());
  };
  const textOf = (...given: Parameters<typeof readGroup>): string[] =>
    readGroup(...given).events.map(eventText);

  it('are remote frames', () => {
    const name = 'CAN_RemoteFrame';
    expect(textOf(name, can(name), [[1, 0x23, 1, 0, 0x80, 0x14]])).toEqual([
      '0 1 tx can 123 extended|remote 4',
    ]);
  });

  it('are error frames, with details of SocketCAN for the types of the standard', () => {
    const name = 'CAN_ErrorFrame';
    const members = [...can(name), { name: `${name}.ErrorType`, byte: 14, bits: 8 }];
    const types = [0, 1, 2, 3, 4, 5].map((type) => [1, 0x23, 1, 0, 0, 0, type]);
    expect(textOf(name, members, types)).toEqual([
      '0 1 rx can 0 error 0',
      '0 1 rx can 88 error 8 0000010000000000',
      '0 1 rx can 88 error 8 0000020000000000',
      '0 1 rx can 88 error 8 0000040000000000',
      '0 1 rx can 88 error 8 0000000800000000',
      '0 1 rx can A0 error 8 0000001900000000',
    ]);
    const untyped = [
      ...can(name),
      { name: `${name}.DataLength`, byte: 14, bits: 8 },
      { name: `${name}.DataBytes`, byte: 15, bits: 64, dataType: 10 },
    ];
    expect(textOf(name, untyped, [[1, 0x80, 0, 0, 0, 2, 2, 0xaa, 0xbb, 0xcc]])).toEqual([
      '0 1 rx can 80 error 2 AABB',
    ]);
  });

  it('are LIN frames, with a checksum whose model can follow from it', () => {
    const name = 'LIN_Frame';
    const data = [1, 2, 0, 0, 0, 0, 0, 0];
    const classic = 0xff - 3;
    expect(
      textOf(name, lin(name), [
        [3, 0x80 | 0x21, 0x22, ...data, classic, 0],
        [3, 0x21, 0x22, ...data, 0x77, 1],
        [3, 0x21, 0x22, ...data, classic, 0xff],
        [3, 0x3c, 0x88, 0, ...data.slice(0, 7), classic, 0],
      ]),
    ).toEqual([
      '0 3 tx lin 21 - 2 csFC 0102',
      '0 3 rx lin 21 enhanced 2 cs77 0102',
      '0 3 rx lin 21 - 2 csFC 0102',
      '0 3 rx lin 3C sleep 8 csFC 0001020000000000',
    ]);
    const bare = lin(name).filter((each) => !/Checksum|Received/.test(each.name));
    expect(textOf(name, bare, [[1, 0x21, 0x20, ...data]])).toEqual([
      '0 1 rx lin 21 noChecksum|noModel 2 cs0 0102',
    ]);
  });

  it.each([
    ['LIN_ChecksumError', '0 1 rx lin 21 checksumError 2 csFC 0102'],
    ['LIN_TransmissionError', '0 1 rx lin 21 noResponse 2 csFC 0102'],
    ['LIN_ReceiveError', '0 1 rx lin 21 error 2 csFC 0102'],
    ['LIN_SyncError', '0 1 rx lin 21 error|noId|syncError 2 csFC 0102'],
    ['LIN_WakeUp', '0 1 rx lin 21 wakeUp 2 csFC 0102'],
    ['LIN_Sleep', '0 1 rx lin 21 sleep 2 csFC 0102'],
  ])('are %s', (name, expected) => {
    expect(textOf(name, lin(name), [[1, 0x21, 0x22, 1, 2, 0, 0, 0, 0, 0, 0, 0xfc, 0]])).toEqual([
      expected,
    ]);
  });

  it.each([
    ['CAN_OverloadFrame', 'overload_frame'],
    ['CAN_XL_Frame', 'can_xl'],
    ['ETH_Frame', 'ethernet'],
    ['FLX_Frame', 'flexray'],
    ['MOST_Message', 'most'],
    ['KLINE_Frame', 'k_line'],
    ['LIN_Spike', 'lin_spike'],
    ['LIN_LongDominantSignal', 'lin_long_dominant'],
    ['LIN_SomethingNew', 'lin_other'],
    ['Unheard_Of', 'other'],
  ])('of %s are skipped and counted', (name, skipped) => {
    const file = new HandmadeMf4();
    const other = { id: 2, bytes, channels: [secondsChannel, structure(name, bytes, can(name))] };
    const [first, second] = frames;
    const data = addData(
      file,
      Buffer.of(2),
      record([1]),
      Buffer.of(1),
      first,
      Buffer.of(1),
      second,
    );
    addDataGroups(file, [{ groups: [plainGroup(2, { id: 1 }), other], data, idBytes: 1 }]);
    const { events, account } = read(file.bytes());
    expect(events.map(eventText)).toEqual(frameTexts.slice(0, 2));
    expect(account).toMatchObject({ ...complete, skipped: { [skipped]: 1 } });
  });

  it('without events of a bus are not read', () => {
    const { events, account } = readGroup('CAN_DataFrame', can('CAN_DataFrame'), [[1]], () => ({
      flags: 0,
    }));
    expect(events).toEqual([]);
    expect(account).toMatchObject({ ...complete, skipped: { signal_group: 1 } });
  });

  it.each([
    ['it has no time', [structure('CAN_DataFrame', bytes, can('CAN_DataFrame'))], bytes],
    ['it has no ID', [secondsChannel, ...can('CAN_DataFrame').slice(0, 1)], bytes],
    ['a member is outside the record', [secondsChannel, ...can('CAN_DataFrame')], 12],
    ['its records have 4000000000 bytes', [secondsChannel, ...can('CAN_DataFrame')], 4e9],
    ['its time is not a number', [{ ...secondsChannel, bits: 24 }, ...can('CAN_DataFrame')], bytes],
  ])('are not read if %s', (reason, channels, recordBytes) => {
    const { events, account } = readGroup('', [], [[1]], () => ({
      channels,
      bytes: recordBytes,
      name: 'Vehicle',
    }));
    expect(events).toEqual([]);
    expect(account).toMatchObject({
      malformed: 1,
      errors: [{ message: `The group Vehicle is not read: ${reason}` }],
    });
  });

  it('name their channel by their source, unless it only names the bus', () => {
    const namesOf = (source: string): (string | undefined)[] => {
      const file = new HandmadeMf4();
      const data = addData(file, plainRecord({ channel: 4 }));
      addDataGroups(file, [{ groups: [plainGroup(1, { source: addSource(file, source) })], data }]);
      const reader = readMf4(new MemorySource(file.bytes()));
      restOf(reader);
      return [...(reader.channelNames?.values() ?? [])];
    };
    expect(namesOf('Powertrain')).toEqual(['Powertrain']);
    for (const generic of ['CAN', 'LIN', 'bus', '', 'CAN FD']) expect(namesOf(generic)).toEqual([]);
  });

  it('of which there are several need record ids', () => {
    const file = new HandmadeMf4();
    const data = addData(file, ...frames);
    addDataGroups(file, [{ groups: [plainGroup(3), plainGroup(3)], data }]);
    expect(() => read(file.bytes())).toThrow(/has 2 groups but no record ids/);
  });
});
