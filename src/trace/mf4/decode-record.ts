import { canErrorClass, canErrorLocation, canProtocolError } from '../../frame/can-error-frame.ts';
import {
  dlcToLength,
  lengthToDlc,
  maxClassicLength,
  maxDlc,
  maxFdLength,
} from '../../frame/dlc.ts';
import { errorCountBytes, putErrorCount } from '../../frame/error-count.ts';
import { maxExtendedId, maxLinId, maxStandardId } from '../../frame/frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isSleepFrame, maxLinLength } from '../../frame/lin.ts';
import { linModelOf } from '../lin-model.ts';
import { type TraceBatch, traceDetail } from '../trace-batch.ts';
import type { FieldName, GroupPlan } from './group-plan.ts';
import { checksumModel, errorType } from './mf4-events.ts';
import { ideBit } from './our-groups.ts';

/** A record in memory, and its payload wherever that is. */
export interface LoadedRecord {
  readonly plan: GroupPlan;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly at: number;
  readonly dataBytes: Uint8Array;
  readonly dataAt: number;
  readonly dataLength: number;
}

export const outcome = { event: 0, invalid: 1, noData: 2, tooLong: 3 } as const;
export type Outcome = (typeof outcome)[keyof typeof outcome];

const firstChannel = 1;
const maxChannel = 0xffff;

const memberOf = (record: LoadedRecord, name: FieldName, absent: number): number => {
  const field = record.plan.fields[name];
  if (!field?.isValid(record.bytes, record.at)) return absent;
  return field.get(record.bytes, record.view, record.at);
};

const kindOf = (record: LoadedRecord): number =>
  memberOf(record, 'dir', -1) === record.plan.sentValue
    ? eventKindCode.tx_complete
    : eventKindCode.rx_frame;

const channelOf = (record: LoadedRecord): number =>
  Math.min(Math.max(0, memberOf(record, 'channel', firstChannel)), maxChannel);

const copyData = (
  batch: TraceBatch,
  { dataBytes, dataAt }: LoadedRecord,
  present: number,
  length: number,
): void => {
  const { payload } = batch;
  const to = batch.count * maxFdLength;
  for (let i = 0; i < present; i++) payload[to + i] = dataBytes[dataAt + i] as number;
  for (let i = present; i < length; i++) payload[to + i] = 0;
};

/** Some programs omit IDE, or have it in the ID; an identifier this long is extended. */
const extendedFlag = (record: LoadedRecord, word: number): number =>
  memberOf(record, 'ide', 0) !== 0 || word >= ideBit || word % ideBit > maxStandardId
    ? frameFlag.extended
    : 0;

const idOf = (word: number): number => (word & maxExtendedId) >>> 0;

/**
 * The length code is what the bus had, unless it is too short for the data or none at all. Data
 * that a record lacks are zeros.
 */
const decodeData = (record: LoadedRecord, batch: TraceBatch): Outcome => {
  const there = record.dataLength;
  const claimed = Math.trunc(memberOf(record, 'length', -1));
  const code = Math.trunc(memberOf(record, 'dlc', -1));
  if (there < 0 && claimed !== 0) return outcome.noData;
  const isFd = memberOf(record, 'edl', Math.max(claimed, 0) > maxClassicLength ? 1 : 0) !== 0;
  const isShorter = code >= 0 && code <= maxDlc && dlcToLength(code, isFd) >= claimed;
  const known = claimed < 0 ? Math.min(there, maxFdLength) : claimed;
  if (!isShorter && known > maxFdLength) return outcome.tooLong;
  const dlc = isShorter ? code : lengthToDlcUp(known, isFd);
  const length = dlcToLength(dlc, isFd);
  const present = Math.min(length, Math.max(there, 0), claimed < 0 ? length : claimed);
  const word = memberOf(record, 'id', 0);
  const flags =
    extendedFlag(record, word) |
    (isFd ? frameFlag.fd : 0) |
    (isFd && memberOf(record, 'brs', 0) !== 0 ? frameFlag.brs : 0) |
    (isFd && memberOf(record, 'esi', 0) !== 0 ? frameFlag.esi : 0);
  copyData(batch, record, present, length);
  const bus = isFd ? busCode.canfd : busCode.can;
  batch.putRow(bus, kindOf(record), channelOf(record), idOf(word), flags, dlc, length);
  return outcome.event;
};

const lengthToDlcUp = (length: number, isFd: boolean): number => {
  for (let dlc = 0; dlc <= maxDlc; dlc++) if (dlcToLength(dlc, isFd) >= length) return dlc;
  return lengthToDlc(maxFdLength, true);
};

const decodeRemote = (record: LoadedRecord, batch: TraceBatch): Outcome => {
  const word = memberOf(record, 'id', 0);
  const dlc = Math.trunc(memberOf(record, 'dlc', 0)) & maxDlc;
  const flags = extendedFlag(record, word) | frameFlag.remote;
  batch.putRow(busCode.can, kindOf(record), channelOf(record), idOf(word), flags, dlc, 0);
  return outcome.event;
};

/** Details of SocketCAN for the types of the standard, which says no more. */
const putErrorType = (type: number, batch: TraceBatch): number => {
  const at = batch.count * maxFdLength;
  batch.payload.fill(0, at, at + maxClassicLength);
  const protocol = [0, canProtocolError.bit, canProtocolError.form, canProtocolError.stuff][type];
  batch.payload[at + 2] = protocol ?? 0;
  if (type === errorType.crc) batch.payload[at + 3] = canErrorLocation.crcSequence;
  if (type !== errorType.acknowledge) return canErrorClass.protocol | canErrorClass.busError;
  batch.payload[at + 3] = canErrorLocation.acknowledgeSlot;
  return canErrorClass.noAcknowledge | canErrorClass.busError;
};

/**
 * An error with a type has the identifier and data of the frame. Without one they are those of
 * SocketCAN, as written by python-can and Busbar.
 */
const decodeError = (record: LoadedRecord, batch: TraceBatch): Outcome => {
  const isOurs = record.plan.fields.flags !== undefined;
  const type = Math.trunc(memberOf(record, 'errorType', -1));
  const kind = kindOf(record);
  const channel = channelOf(record);
  if (!isOurs && type >= 0) {
    const id = type === errorType.other ? 0 : putErrorType(type, batch);
    const length = id === 0 ? 0 : maxClassicLength;
    batch.putRow(busCode.can, kind, channel, id, frameFlag.error, length, length);
    return outcome.event;
  }
  const claimed = Math.trunc(memberOf(record, 'length', 0));
  const details = Math.min(Math.max(claimed, 0), Math.max(record.dataLength, 0), maxClassicLength);
  const dlc = isOurs ? memberOf(record, 'dlc', details) & maxDlc : details;
  copyData(batch, record, details, details);
  const isCounted = memberOf(record, 'counted', 0) !== 0;
  if (isCounted) {
    const at = batch.count * maxFdLength + details;
    putErrorCount(batch.payload, at, memberOf(record, 'count', 0));
  }
  const length = details + (isCounted ? errorCountBytes : 0);
  const id = idOf(memberOf(record, 'id', 0));
  const flags = memberOf(record, 'flags', frameFlag.error);
  const bus = Math.min(Math.max(memberOf(record, 'bus', busCode.can), busCode.can), busCode.lin);
  batch.putRow(bus, kind, channel, id, flags, dlc, length);
  batch.detail[batch.count] = memberOf(record, 'detail', 0);
  return outcome.event;
};

const linFlags = {
  frame: 0,
  checksumError: frameFlag.checksumError,
  noResponse: frameFlag.noResponse,
  receiveError: frameFlag.error,
  syncError: frameFlag.error,
  wakeUp: frameFlag.wakeUp,
  sleep: frameFlag.sleep,
} as const;

const linDetails = (record: LoadedRecord): number => {
  const { linEvent, fields } = record.plan;
  if (linEvent === 'syncError') return traceDetail.noId | traceDetail.syncError;
  if (linEvent === 'receiveError') return fields.id ? 0 : traceDetail.noId;
  return 0;
};

const decodeLin = (record: LoadedRecord, batch: TraceBatch): Outcome => {
  const { linEvent, fields } = record.plan;
  const id = memberOf(record, 'id', 0) & maxLinId;
  const there = Math.max(record.dataLength, 0);
  const claimed = Math.trunc(memberOf(record, 'length', Math.min(there, maxLinLength)));
  const received = Math.trunc(memberOf(record, 'received', claimed));
  const length = Math.max(0, Math.min(received, there, maxLinLength));
  if (claimed > 0x0f) return outcome.tooLong;
  const dlc = Math.max(0, claimed);
  const checksum = memberOf(record, 'checksum', 0) & 0xff;
  copyData(batch, record, length, length);
  const isMessage = linEvent === 'frame' || linEvent === 'checksumError';
  const from = batch.count * maxFdLength;
  let detail = linDetails(record);
  let flags: number = linFlags[linEvent];
  if (isMessage) {
    if (!fields.checksum) detail |= traceDetail.noChecksum;
    const model = memberOf(record, 'model', checksumModel.unknown);
    const isEnhanced =
      model === checksumModel.enhanced ||
      (model !== checksumModel.classic && fields.checksum
        ? linModelOf(checksum, id, batch.payload, from, length)
        : model === checksumModel.classic
          ? false
          : undefined);
    if (isEnhanced) flags |= frameFlag.enhancedChecksum;
    if (isEnhanced === undefined) detail |= traceDetail.noModel;
    const isSleep = linEvent === 'frame' && isSleepFrame(id, batch.payload, from, length);
    if (isSleep) flags |= frameFlag.sleep;
  }
  batch.putRow(
    busCode.lin,
    kindOf(record),
    channelOf(record),
    id,
    memberOf(record, 'flags', flags),
    dlc,
    length,
  );
  batch.checksum[batch.count] = checksum;
  batch.detail[batch.count] = memberOf(record, 'detail', detail);
  return outcome.event;
};

/** Fills the next row of a batch, except its time. */
export const decodeRecord = (record: LoadedRecord, batch: TraceBatch): Outcome => {
  for (const field of record.plan.required) {
    if (!field.isValid(record.bytes, record.at)) return outcome.invalid;
  }
  switch (record.plan.kind) {
    case 'data':
      return decodeData(record, batch);
    case 'remote':
      return decodeRemote(record, batch);
    case 'lin':
      return decodeLin(record, batch);
    default:
      return decodeError(record, batch);
  }
};
