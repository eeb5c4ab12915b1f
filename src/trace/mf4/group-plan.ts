import type { SkipName } from '../skip-names.ts';
import type { ChannelInfo, GroupInfo } from './file-structure.ts';
import {
  channelType,
  conversionType,
  dataType,
  groupFlag,
  nsPerSecond,
  timeSync,
} from './mf4-layout.ts';
import {
  deviceStructure,
  ownMember,
  remarkField,
  remarkStructure,
  remarkTextBytes,
} from './our-groups.ts';
import { RecordField, sentValueOf } from './record-field.ts';

export type RecordKind =
  | 'data'
  | 'remote'
  | 'error'
  | 'device'
  | 'lin'
  | 'remark'
  | 'variable'
  | 'skipped';

/** How the members of a record are called, by the field of the plan. */
const memberNames = {
  channel: 'BusChannel',
  id: 'ID',
  ide: 'IDE',
  dlc: 'DLC',
  length: 'DataLength',
  received: 'ReceivedDataByteCount',
  dir: 'Dir',
  edl: 'EDL',
  brs: 'BRS',
  esi: 'ESI',
  errorType: 'ErrorType',
  checksum: 'Checksum',
  model: 'ChecksumModel',
  flags: ownMember.flags,
  detail: ownMember.detail,
  bus: ownMember.bus,
  counted: ownMember.counted,
  count: ownMember.count,
  order: ownMember.order,
} as const;
export type FieldName = keyof typeof memberNames;

export const linEvent = {
  LIN_Frame: 'frame',
  LIN_ChecksumError: 'checksumError',
  LIN_TransmissionError: 'noResponse',
  LIN_ReceiveError: 'receiveError',
  LIN_SyncError: 'syncError',
  LIN_WakeUp: 'wakeUp',
  LIN_Sleep: 'sleep',
} as const;
export type LinEvent = (typeof linEvent)[keyof typeof linEvent];

const otherEvents: Readonly<Record<string, SkipName>> = {
  CAN_OverloadFrame: 'overload_frame',
  LIN_Spike: 'lin_spike',
  LIN_LongDominantSignal: 'lin_long_dominant',
};

const otherBuses: readonly (readonly [RegExp, SkipName])[] = [
  [/^CAN_XL/i, 'can_xl'],
  [/^ETH/i, 'ethernet'],
  [/^(FLX|FlexRay)/i, 'flexray'],
  [/^MOST/i, 'most'],
  [/^(K_?Line|KLINE)/i, 'k_line'],
  [/^LIN_/i, 'lin_other'],
];

/** Where the payload of a record is. */
export interface DataPlace {
  readonly byte: number;
  /** Bytes in the record; 8 for the offset of data that are elsewhere. */
  readonly bytes: number;
  /** Link to the data that a record has an offset of; 0 if the record contains them. */
  readonly link: number;
}

export interface TimePlan {
  /** Null for a virtual master, whose times follow from the number of the record. */
  readonly field: RecordField | null;
  readonly factor: number;
  readonly offset: number;
  /** Times are whole nanoseconds multiplied by this, which is exact; 0 if they are not. */
  readonly unitNs: number;
}

export interface GroupPlan {
  readonly info: GroupInfo;
  readonly kind: RecordKind;
  readonly skip: SkipName;
  readonly linEvent: LinEvent;
  readonly recordBytes: number;
  readonly time: TimePlan;
  readonly fields: Readonly<Partial<Record<FieldName, RecordField>>>;
  readonly sentValue: number;
  readonly data: DataPlace | null;
  /** Fields without which a record means nothing, if they can be invalid. */
  readonly required: readonly RecordField[];
}

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const firstName = (name: string): string => name.split('.', 1)[0] as string;

const exactUnits: readonly (readonly [number, number])[] = [
  [1e-9, 1],
  [1e-8, 10],
  [1e-7, 100],
  [1e-6, 1000],
  [1e-5, 10_000],
  [1e-4, 100_000],
  [1e-3, 1_000_000],
  [1, nsPerSecond],
];

const unitOf = (factor: number): number =>
  exactUnits.find(([unit]) => Math.abs(factor / unit - 1) < 1e-12)?.[1] ?? 0;

const isInteger = (type: number): boolean => type <= dataType.intBigEndian;

const timePlanOf = (info: ChannelInfo, invalidationAt: number): TimePlan | string => {
  const { conversion } = info;
  const kind = conversion?.type ?? conversionType.none;
  if (kind !== conversionType.none && kind !== conversionType.linear) {
    return `its time has a conversion of type ${kind}`;
  }
  const isLinear = kind === conversionType.linear;
  const offset = isLinear ? (conversion?.values[0] ?? 0) : 0;
  const factor = isLinear ? (conversion?.values[1] ?? 1) : 1;
  if (!Number.isFinite(offset) || !Number.isFinite(factor)) return 'its time is not a number';
  const isVirtual = info.type === channelType.virtualMaster;
  const field = isVirtual ? null : new RecordField(info, invalidationAt);
  if (field && !field.isNumber) return 'its time is not a number';
  const isExact = offset === 0 && (isVirtual || isInteger(info.dataType));
  return { field, factor, offset, unitNs: isExact ? unitOf(factor) : 0 };
};

const kindOf = (structure: string): { kind: RecordKind; skip: SkipName; lin: LinEvent } => {
  const other = { kind: 'skipped', skip: 'other', lin: 'frame' } as const;
  if (structure.startsWith('CAN_DataFrame')) return { ...other, kind: 'data' };
  if (structure.startsWith('CAN_RemoteFrame')) return { ...other, kind: 'remote' };
  if (structure.startsWith('CAN_ErrorFrame')) return { ...other, kind: 'error' };
  if (structure === deviceStructure) return { ...other, kind: 'device' };
  for (const [name, lin] of Object.entries(linEvent)) {
    if (structure.startsWith(name)) return { ...other, kind: 'lin', lin };
  }
  for (const [name, skip] of Object.entries(otherEvents)) {
    if (structure.startsWith(name)) return { ...other, skip };
  }
  return { ...other, skip: otherBuses.find(([form]) => form.test(structure))?.[1] ?? 'other' };
};

const isOurRemark = ({ name, dataBytes, channels }: GroupInfo): boolean => {
  if (name !== remarkStructure || dataBytes < remarkField.end) return false;
  const text = channels.find((each) => lastName(each.name) === 'Text');
  return text?.byteOffset === remarkField.text && text.bits === 8 * remarkTextBytes;
};

const isKnown = (structure: string): boolean => {
  const { kind, skip } = kindOf(structure);
  return kind !== 'skipped' || skip !== 'other';
};

const structureOf = ({ channels }: GroupInfo): string =>
  channels.map(({ name }) => firstName(name)).find(isKnown) ?? '';

const dataPlaceOf = (channels: readonly ChannelInfo[]): DataPlace | null => {
  const info = channels.find(({ name }) => lastName(name) === 'DataBytes');
  if (!info) return null;
  const { byteOffset, bits, type, data } = info;
  const isElsewhere = type === channelType.variableLength;
  return { byte: byteOffset, bytes: Math.floor(bits / 8), link: isElsewhere ? data : 0 };
};

export const skippedPlan = (info: GroupInfo, kind: RecordKind, skip: SkipName): GroupPlan => ({
  info,
  kind,
  skip,
  linEvent: 'frame',
  recordBytes: info.dataBytes + info.invalidationBytes,
  time: { field: null, factor: 0, offset: 0, unitNs: 0 },
  fields: {},
  sentValue: 1,
  data: null,
  required: [],
});

const required: readonly FieldName[] = ['channel', 'id'];
/** A record is in memory as a whole. */
const maxRecordBytes = 64 * 1024;

/** How the records of a group are read, or why they are not. */
export const planGroup = (info: GroupInfo): GroupPlan | string => {
  const { channels, dataBytes, invalidationBytes, flags } = info;
  if ((flags & groupFlag.variableLength) !== 0) return skippedPlan(info, 'variable', 'other');
  if (channels.length === 0) return skippedPlan(info, 'skipped', 'signal_group');
  const structure = structureOf(info);
  const isRemark = isOurRemark(info);
  const { kind, skip, lin } = kindOf(structure);
  if (kind === 'skipped' && !isRemark) return skippedPlan(info, kind, skip);
  const master = channels.find(
    ({ type, sync }) =>
      (type === channelType.master || type === channelType.virtualMaster) && sync === timeSync,
  );
  if (!master) return 'it has no time';
  const time = timePlanOf(master, dataBytes);
  if (typeof time === 'string') return time;
  const fields: Partial<Record<FieldName, RecordField>> = {};
  for (const [key, name] of Object.entries(memberNames)) {
    const member = channels.find((each) => lastName(each.name) === name);
    if (!member) continue;
    const field = new RecordField(member, dataBytes);
    if (field.isNumber) fields[key as FieldName] = field;
  }
  const recordBytes = dataBytes + invalidationBytes;
  if (recordBytes > maxRecordBytes) return `its records have ${recordBytes} bytes`;
  const data = dataPlaceOf(channels);
  const ends = [...Object.values(fields), time.field].map((field) => field?.end ?? 0);
  if (data) ends.push(data.byte + (data.link === 0 ? data.bytes : 8));
  if (ends.some((end) => end > recordBytes)) return 'a member is outside the record';
  const needsId = kind === 'data' || kind === 'remote' || (kind === 'lin' && lin === 'frame');
  if (needsId && !fields.id) return 'it has no ID';
  const dir = channels.find(({ name }) => lastName(name) === memberNames.dir);
  return {
    info,
    kind: isRemark ? 'remark' : kind,
    skip,
    linEvent: lin,
    recordBytes,
    time,
    fields,
    sentValue: dir ? sentValueOf(dir) : 1,
    data,
    required: required.flatMap((name) => fields[name] ?? []),
  };
};
