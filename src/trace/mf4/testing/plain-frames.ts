import { eventText } from '../../testing/event-text.ts';
import { type ReadTrace, readTrace } from '../../testing/trace-events.ts';
import { readMf4 } from '../read-mf4.ts';
import {
  addData,
  addDataGroups,
  type HandmadeChannel,
  type HandmadeGroup,
  type HandmadeHeader,
  HandmadeMf4,
} from './handmade-mf4.ts';

/** A time in seconds, as most programs write it. */
export const secondsChannel: HandmadeChannel = {
  name: 't',
  byte: 0,
  bits: 64,
  type: 2,
  sync: 1,
  dataType: 4,
};

/** Members in whole bytes, in the order of python-can. */
export const plainMembers: readonly HandmadeChannel[] = [
  { name: 'CAN_DataFrame.BusChannel', byte: 8, bits: 8 },
  { name: 'CAN_DataFrame.ID', byte: 9, bits: 32 },
  { name: 'CAN_DataFrame.IDE', byte: 13, bits: 8 },
  { name: 'CAN_DataFrame.DLC', byte: 14, bits: 8 },
  { name: 'CAN_DataFrame.DataLength', byte: 15, bits: 8 },
  { name: 'CAN_DataFrame.Dir', byte: 16, bits: 8 },
  { name: 'CAN_DataFrame.DataBytes', byte: 17, bits: 64, dataType: 10 },
];
export const plainBytes = 25;

export const structure = (
  name: string,
  bytes: number,
  members: readonly HandmadeChannel[],
): HandmadeChannel => ({
  name,
  byte: 8,
  bits: 8 * (bytes - 8),
  dataType: 10,
  flags: 0x400,
  members,
});

export interface PlainRecord {
  readonly seconds?: number;
  readonly channel?: number;
  readonly id?: number;
  readonly extended?: boolean;
  readonly sent?: boolean;
  readonly data?: readonly number[];
}

export const plainRecord = (record: PlainRecord = {}): Buffer => {
  const {
    seconds = 0,
    channel = 1,
    id = 0x123,
    extended = false,
    sent = false,
    data = [],
  } = record;
  const bytes = Buffer.alloc(plainBytes);
  bytes.writeDoubleLE(seconds);
  bytes[8] = channel;
  bytes.writeUInt32LE(id, 9);
  bytes[13] = extended ? 1 : 0;
  bytes[14] = data.length;
  bytes[15] = data.length;
  bytes[16] = sent ? 1 : 0;
  bytes.set(data, 17);
  return bytes;
};

export const plainGroup = (cycles: number, rest: Partial<HandmadeGroup> = {}): HandmadeGroup => ({
  bytes: plainBytes,
  cycles,
  channels: [secondsChannel, structure('CAN_DataFrame', plainBytes, plainMembers)],
  ...rest,
});

/** A sorted file with one group of plain records. */
export const plainFile = (
  records: readonly Uint8Array[],
  header: HandmadeHeader = {},
  rest: Partial<HandmadeGroup> = {},
): Buffer => {
  const file = new HandmadeMf4();
  const data = addData(file, ...records);
  addDataGroups(file, [{ groups: [plainGroup(records.length, rest)], data }]);
  return file.bytes(header);
};

/** Frames and their texts. */
export const frames: readonly [Buffer, Buffer, Buffer] = [
  plainRecord({ seconds: 0.5, id: 0x123, data: [1, 2, 3] }),
  plainRecord({ seconds: 0.75, id: 0x18fef100, extended: true, channel: 2, sent: true }),
  plainRecord({ seconds: 1, id: 0x7ff, data: [1, 2, 3, 4, 5, 6, 7, 8] }),
];
export const frameTexts = [
  '500000000 1 rx can 123 - 3 010203',
  '750000000 2 tx can 18FEF100 extended 0',
  '1000000000 1 rx can 7FF - 8 0102030405060708',
];

/** The members with one of them changed. */
export const replaced = (name: string, by: Partial<HandmadeChannel>): HandmadeChannel[] =>
  plainMembers.map((each) => (each.name.endsWith(`.${name}`) ? { ...each, ...by } : each));

/** A group of plain records with these members. */
export const groupOf = (
  members: readonly HandmadeChannel[],
  cycles: number,
  rest: Partial<HandmadeGroup> = {},
): HandmadeGroup =>
  plainGroup(cycles, {
    channels: [secondsChannel, structure('CAN_DataFrame', plainBytes, members)],
    ...rest,
  });

export const read = (bytes: Uint8Array): ReadTrace => readTrace(readMf4, bytes);
export const textsOf = (bytes: Uint8Array): string[] => read(bytes).events.map(eventText);
/** Part of the account of a file without a fault. */
export const complete = { malformed: 0, errors: [], truncated: false };
