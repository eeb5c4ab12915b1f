import { channelType, dataType, groupFlag, sourceBus } from './mf4-layout.ts';

/**
 * The channel groups that Busbar writes. A record is the id of its group, one byte, and:
 *
 *     0         8          10                14              15                 16
 *     time ns   channel    ID (29), IDE      DLC, Dir,       DataLength (7),    data
 *                                            EDL, BRS        ESI
 *
 * LIN records differ from byte 10 on. Frames of up to 8 bytes and longer ones are in separate
 * groups, because a fixed length is the only one that is readable however a file was cut.
 */
export const recordIdBytes = 1;

export const field = {
  timeNs: 0,
  channel: 8,
  id: 10,
  dlcBits: 14,
  lengthBits: 15,
  data: 16,
} as const;
export const dlcBit = { dir: 1 << 4, edl: 1 << 6, brs: 1 << 7 } as const;
export const esiBit = 1 << 7;
export const ideBit = 0x8000_0000;

export const errorField = {
  errorType: 24,
  detail: 25,
  bus: 26,
  counted: 27,
  count: 28,
  flags: 32,
  end: 36,
} as const;

export const linField = {
  idBits: 10,
  lengths: 11,
  checksum: 12,
  model: 13,
  detail: 14,
  data: 16,
  flags: 24,
  end: 28,
} as const;
export const linSentBit = 1 << 7;

export const remarkField = {
  kind: 8,
  isPart: 9,
  channel: 10,
  bus: 12,
  text: 16,
  end: 128,
} as const;
export const remarkTextBytes = remarkField.end - remarkField.text;
export const remarkKind = { note: 0, channelName: 1 } as const;

export const groupId = {
  shortData: 1,
  longData: 2,
  remote: 3,
  error: 4,
  lin: 5,
  linChecksumError: 6,
  linNoResponse: 7,
  linReceiveError: 8,
  linSyncError: 9,
  linWakeUp: 10,
  linSleep: 11,
  device: 12,
  remark: 13,
} as const;
export type GroupId = (typeof groupId)[keyof typeof groupId];

export interface Member {
  readonly name: string;
  readonly byte: number;
  readonly bit: number;
  readonly bits: number;
  readonly dataType: number;
  readonly type: number;
}

const member = (
  name: string,
  byte: number,
  bits: number,
  bit = 0,
  type: number = dataType.uint,
): Member => ({ name, byte, bit, bits, dataType: type, type: channelType.value });

const bytesMember = (name: string, byte: number, length: number): Member => ({
  ...member(name, byte, 8 * length, 0, dataType.bytes),
  type: channelType.maxLength,
});

const busChannel = member('BusChannel', field.channel, 16);

const canStart = [
  busChannel,
  member('ID', field.id, 29),
  member('IDE', field.id + 3, 1, 7),
  member('DLC', field.dlcBits, 4),
  member('Dir', field.dlcBits, 1, 4),
  member('DataLength', field.lengthBits, 7),
];

const fdMembers = [
  member('EDL', field.dlcBits, 1, 6),
  member('BRS', field.dlcBits, 1, 7),
  member('ESI', field.lengthBits, 1, 7),
];

const dataMembers = (length: number): readonly Member[] => [
  ...canStart,
  ...fdMembers,
  bytesMember('DataBytes', field.data, length),
];

/** Names with the product in them are members that no other program writes. */
export const ownMember = {
  flags: 'BusbarFlags',
  detail: 'BusbarDetail',
  bus: 'BusbarBus',
  counted: 'BusbarCounted',
  count: 'ErrorCount',
  order: 'BusbarOrder',
} as const;

const errorMembers = [
  ...dataMembers(8),
  member('ErrorType', errorField.errorType, 3),
  member(ownMember.detail, errorField.detail, 8),
  member(ownMember.bus, errorField.bus, 8),
  member(ownMember.counted, errorField.counted, 1),
  member(ownMember.count, errorField.count, 32),
  member(ownMember.flags, errorField.flags, 32),
];

const linMembers = [
  busChannel,
  member('ID', linField.idBits, 6),
  member('Dir', linField.idBits, 1, 7),
  member('ReceivedDataByteCount', linField.lengths, 4),
  member('DataLength', linField.lengths, 4, 4),
  member('Checksum', linField.checksum, 8),
  member('ChecksumModel', linField.model, 8, 0, dataType.int),
  member(ownMember.detail, linField.detail, 8),
  bytesMember('DataBytes', linField.data, 8),
  member(ownMember.flags, linField.flags, 32),
];

const remarkMembers = [
  member('Kind', remarkField.kind, 8),
  member('IsPart', remarkField.isPart, 8),
  member('BusChannel', remarkField.channel, 16),
  member('Bus', remarkField.bus, 8),
  member('Text', remarkField.text, 8 * remarkTextBytes, 0, dataType.utf8),
];

export interface OurGroup {
  readonly id: GroupId;
  readonly name: string;
  readonly structure: string;
  readonly dataBytes: number;
  readonly flags: number;
  readonly bus: number | null;
  readonly members: readonly Member[];
}

const busEvent = groupFlag.busEvent | groupFlag.plainBusEvent;

const can = (
  id: GroupId,
  name: string,
  structure: string,
  dataBytes: number,
  members: readonly Member[],
): OurGroup => ({ id, name, structure, dataBytes, flags: busEvent, bus: sourceBus.can, members });

const lin = (id: GroupId, structure: string): OurGroup => ({
  id,
  name: structure,
  structure,
  dataBytes: linField.end,
  flags: busEvent,
  bus: sourceBus.lin,
  members: linMembers,
});

/** Not a bus event, so other programs show it as a signal. */
const own = (
  id: GroupId,
  structure: string,
  dataBytes: number,
  members: readonly Member[],
): OurGroup => ({ id, name: structure, structure, dataBytes, flags: 0, bus: null, members });

export const deviceStructure = 'Busbar_Device';
export const remarkStructure = 'Busbar_Remark';

export const ourGroups: readonly OurGroup[] = [
  can(groupId.shortData, 'CAN_DataFrame, 8 bytes', 'CAN_DataFrame', 24, dataMembers(8)),
  can(groupId.longData, 'CAN_DataFrame, 64 bytes', 'CAN_DataFrame', 80, dataMembers(64)),
  can(groupId.remote, 'CAN_RemoteFrame', 'CAN_RemoteFrame', field.data, canStart),
  can(groupId.error, 'CAN_ErrorFrame', 'CAN_ErrorFrame', errorField.end, errorMembers),
  lin(groupId.lin, 'LIN_Frame'),
  lin(groupId.linChecksumError, 'LIN_ChecksumError'),
  lin(groupId.linNoResponse, 'LIN_TransmissionError'),
  lin(groupId.linReceiveError, 'LIN_ReceiveError'),
  lin(groupId.linSyncError, 'LIN_SyncError'),
  lin(groupId.linWakeUp, 'LIN_WakeUp'),
  lin(groupId.linSleep, 'LIN_Sleep'),
  own(groupId.device, deviceStructure, errorField.end, errorMembers),
  own(groupId.remark, remarkStructure, remarkField.end, remarkMembers),
];

export const orderBytes = 4;

/**
 * The groups of a compressed file, where each has its own data. Records of the same time would lose
 * their order, so they are numbered.
 */
export const orderedGroups: readonly OurGroup[] = ourGroups.map((group) => ({
  ...group,
  dataBytes: group.dataBytes + orderBytes,
  members: [...group.members, member(ownMember.order, group.dataBytes, 8 * orderBytes)],
}));
