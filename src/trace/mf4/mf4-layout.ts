/**
 * Field offsets of MF4 files (ASAM MDF 4.1x). All integers are little-endian, and a link is the
 * file offset of a block, or 0. A block is at a multiple of 8:
 *
 *     0   '##' and two letters      24           links, 8 bytes each
 *     8   length of the block       24 + 8 n     data
 *     16  number of links n
 */

export const identification = {
  file: 0,
  version: 8,
  program: 16,
  versionNumber: 28,
  unfinalized: 60,
  end: 64,
} as const;
export const finalizedMagic = 'MDF     ';
export const unfinalizedMagic = 'UnFinMF ';
/** Set in a file that was not closed: what its program would have written at the end. */
export const unfinalizedFlag = {
  cycleCounts: 1,
  dataLength: 4,
  lastDataList: 0x10,
  variableOffsets: 0x40,
} as const;

export const blockHeader = { id: 0, length: 8, linkCount: 16, end: 24 } as const;
export const blockAlignment = 8;
export const linkBytes = 8;

/** Links by name, and offsets in the data that follows the links. */
export const header = {
  links: { dataGroup: 0, history: 1, attachment: 3, event: 4, comment: 5 },
  startNs: 0,
  timeZoneMinutes: 8,
  summerMinutes: 10,
  timeFlags: 12,
  end: 32,
} as const;
export const timeFlag = { local: 1, offsetsValid: 2 } as const;

export const history = { timeNs: 0, end: 16 } as const;

export const dataGroup = {
  links: { next: 0, channelGroup: 1, data: 2 },
  recordIdBytes: 0,
  end: 8,
} as const;

export const channelGroup = {
  links: { next: 0, channel: 1, name: 2, source: 3 },
  recordId: 0,
  cycles: 8,
  flags: 16,
  pathSeparator: 18,
  dataBytes: 24,
  invalidationBytes: 28,
  end: 32,
} as const;
export const groupFlag = { variableLength: 1, busEvent: 2, plainBusEvent: 4 } as const;

export const channel = {
  links: { next: 0, composition: 1, name: 2, source: 3, conversion: 4, data: 5, unit: 6 },
  type: 0,
  sync: 1,
  dataType: 2,
  bitOffset: 3,
  byteOffset: 4,
  bits: 8,
  flags: 12,
  invalidationBit: 16,
  end: 72,
} as const;
export const channelType = {
  value: 0,
  variableLength: 1,
  master: 2,
  virtualMaster: 3,
  maxLength: 5,
} as const;
export const channelFlag = { allInvalid: 1, invalidationBit: 2, busEvent: 0x400 } as const;
export const timeSync = 1;
export const dataType = {
  uint: 0,
  uintBigEndian: 1,
  int: 2,
  intBigEndian: 3,
  float: 4,
  floatBigEndian: 5,
  latin1: 6,
  utf8: 7,
  bytes: 10,
} as const;

export const source = { links: { name: 0, path: 1 }, type: 0, bus: 1, end: 8 } as const;
export const busSource = 2;
export const sourceBus = { can: 2, lin: 3 } as const;

export const conversion = {
  links: { references: 4 },
  type: 0,
  references: 4,
  values: 6,
  firstValue: 24,
} as const;
export const conversionType = { none: 0, linear: 1, valueToText: 7 } as const;

export const dataList = { links: { next: 0, blocks: 1 } } as const;
/** List of blocks of values since MDF 4.20; links to invalidation bits can follow the blocks. */
export const valueList = { id: '##LD', count: 4, end: 8 } as const;
export const headerList = { links: { first: 0 }, zipMethod: 2, end: 8 } as const;
export const zipped = {
  original: 0,
  method: 2,
  parameter: 4,
  originalSize: 8,
  zippedSize: 16,
  data: 24,
} as const;
export const zipMethod = { deflate: 0, transposed: 1 } as const;

export const event = {
  links: { next: 0, comment: 4, count: 5 },
  type: 0,
  sync: 1,
  cause: 3,
  syncBase: 16,
  syncFactor: 24,
  end: 32,
} as const;
export const markerEvent = 6;
export const toolCause = 2;

export const attachment = {
  links: { next: 0, file: 1, mime: 2 },
  flags: 0,
  originalSize: 24,
  embeddedSize: 32,
  data: 40,
} as const;
export const attachmentFlag = { embedded: 1, compressed: 2 } as const;

export const nsPerSecond = 1e9;
