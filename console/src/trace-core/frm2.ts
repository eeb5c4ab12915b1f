/** The published layout of an FRM2 record: unsigned big-endian integers, then the payload. */
export const frm2 = {
  magic: 0,
  version: 4,
  headerLength: 5,
  bus: 6,
  eventKind: 7,
  channel: 8,
  payloadLength: 10,
  dlc: 11,
  id: 12,
  flags: 16,
  status: 20,
  eventId: 24,
  sourceSequence: 32,
  streamEpoch: 40,
  timestampUs: 48,
  checksum: 59,
  payload: 64,
} as const;

const magicWord = 0x46524d32;
const version = 2;
export const headerBytes = 64;
export const longestPayload = 64;

export const busCode = { can: 1, canfd: 2, lin: 3 } as const;
export const kindCode = { rx_frame: 1, tx_complete: 2 } as const;

export const frameFlag = {
  extended: 1 << 0,
  remote: 1 << 1,
  fd: 1 << 2,
  brs: 1 << 3,
  esi: 1 << 4,
  error: 1 << 5,
  enhancedChecksum: 1 << 8,
  checksumError: 1 << 9,
  noResponse: 1 << 10,
  syncBreak: 1 << 11,
  wakeUp: 1 << 12,
  sleep: 1 << 13,
} as const;

/** A u64 field, all of which the service keeps below 2^53. */
export const readCounter = (record: DataView, at: number): number =>
  record.getUint32(at) * 2 ** 32 + record.getUint32(at + 4);

/** Whether the bytes are one whole record of the version that is known here. */
export const isFrm2 = (record: DataView): boolean =>
  record.byteLength >= headerBytes &&
  record.getUint32(frm2.magic) === magicWord &&
  record.getUint8(frm2.version) === version &&
  record.getUint8(frm2.headerLength) === headerBytes &&
  record.getUint8(frm2.payloadLength) <= longestPayload &&
  record.byteLength === headerBytes + record.getUint8(frm2.payloadLength);

/** Behind the bytes of an error there may be a count: how many error frames it stands for. */
const countBytes = 4;
const hasCount = (record: DataView): boolean =>
  (record.getUint32(frm2.flags) & frameFlag.error) !== 0 &&
  record.getUint8(frm2.payloadLength) === record.getUint8(frm2.dlc) + countBytes;

/** Bytes of the payload without the count. */
export const dataLengthOf = (record: DataView): number =>
  record.getUint8(frm2.payloadLength) - (hasCount(record) ? countBytes : 0);

/** Error frames that a record stands for; 0 where it tells of none. */
export const errorFramesOf = (record: DataView): number => {
  if (record.getUint32(frm2.status) === 0) return 0;
  return hasCount(record) ? record.getUint32(headerBytes + record.getUint8(frm2.dlc)) : 1;
};
