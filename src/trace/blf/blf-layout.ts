/**
 * Field offsets of BLF files. All integers are little-endian. A file is a header and objects.
 * Most objects are in containers, whose concatenated contents are one stream of objects.
 */

export const fileMagic = 0x47474f4c;
export const objectMagic = 0x4a424f4c;

export const fileHeader = {
  headerSize: 4,
  apiNumber: 8,
  compressionLevel: 13,
  fileSize: 16,
  uncompressedSize: 24,
  objectCount: 32,
  startTime: 40,
  lastObjectTime: 56,
} as const;
/** Size that all known writers use; readers use the size in the file. */
export const fileHeaderSize = 144;

export const objectHeader = {
  headerSize: 4,
  version: 6,
  size: 8,
  type: 12,
  timeUnit: 16,
  objectVersion: 22,
  time: 24,
} as const;
export const baseHeaderSize = 16;
export const timedHeaderSize = 32;
export const timeUnit = { tenMicroseconds: 1, nanosecond: 2 } as const;

export const container = { method: 0, uncompressedSize: 8, data: 16 } as const;
export const compression = { none: 0, zlib: 2 } as const;

export const objectType = {
  canMessage: 1,
  canError: 2,
  logContainer: 10,
  linMessage: 11,
  linCrcError: 12,
  linReceiveError: 14,
  linSendError: 15,
  linSyncError: 18,
  linSleep: 20,
  linWakeUp: 21,
  linMessage2: 57,
  linSendError2: 58,
  linSyncError2: 59,
  linCrcError2: 60,
  linReceiveError2: 61,
  linWakeUp2: 62,
  appText: 65,
  canErrorExt: 73,
  canMessage2: 86,
  eventComment: 92,
  canFdMessage: 100,
  canFdMessage64: 101,
  canFdError64: 104,
} as const;

export const maxObjectType = 0xfff;

/** Body of CAN_MESSAGE and CAN_MESSAGE2, and the start of CAN_FD_MESSAGE. */
export const can = { channel: 0, flags: 2, dlc: 3, id: 4, data: 8 } as const;
export const canFlag = { directions: 0x0f, remote: 0x80 } as const;
export const canFd = { fdFlags: 13, validBytes: 14, data: 20, end: 88 } as const;
export const canFdFlag = { edl: 1, brs: 2, esi: 4 } as const;

export const canFd64 = {
  channel: 0,
  dlc: 1,
  validBytes: 2,
  id: 4,
  flags: 12,
  direction: 34,
  extDataOffset: 35,
  data: 40,
} as const;
export const canFd64Flag = { remote: 0x10, edl: 0x1000, brs: 0x2000, esi: 0x4000 } as const;

export const canErrorExt = {
  channel: 0,
  flags: 4,
  code: 8,
  dlc: 10,
  id: 16,
  data: 24,
  end: 32,
} as const;
export const canFdError64 = { channel: 0, code: 3, flags: 4, data: 44 } as const;
export const errorCodeFlag = { sja1000: 1, vectorCore: 2 } as const;

export const extendedIdBit = 0x8000_0000;
export const idMask = 0x1fff_ffff;

export const direction = { rx: 0, tx: 1, txRequest: 2 } as const;

export const lin = {
  channel: 0,
  id: 2,
  dlc: 3,
  data: 4,
  checksum: 16,
  direction: 18,
  end: 20,
} as const;
export const linSleep = { reason: 2, flags: 3, end: 4 } as const;
export const linWakeUp = { byte: 2, external: 3, end: 4 } as const;
export const linSyncError = { edges: 4, end: 12 } as const;
export const linReceiveError = { isFull: 10, end: 12 } as const;
export const linSleepFlag = { wasAwake: 1, isAwake: 2, external: 4 } as const;

/** LIN objects of the second generation; not every type has all fields. */
export const lin2 = {
  startOfFrame: 0,
  channel: 12,
  wakeUpByte: 17,
  wakeUpExternal: 18,
  wakeUpEnd: 19,
  syncEdges: 32,
  syncErrorEnd: 40,
  id: 37,
  dlc: 38,
  checksumModel: 39,
  sendErrorEnd: 48,
  data: 112,
  checksum: 120,
  direction: 122,
  errorState: 122,
  errorIsFull: 124,
  messageEnd: 123,
  receiveErrorEnd: 125,
  errorHasData: 127,
} as const;
export const checksumModel = { classic: 0, enhanced: 1, unknown: 0xff } as const;
export const checksumModelVersion = 1;

/** `info` of a channel name contains its number and bus. */
export const comment = { textLength: 4, text: 16 } as const;
export const appText = { source: 0, info: 4, textLength: 8, text: 16 } as const;
export const textSource = { channel: 1 } as const;
export const channelShift = 8;
export const busShift = 16;
export const channelMask = 0xff;
export const vectorBus = { can: 1, lin: 5 } as const;
