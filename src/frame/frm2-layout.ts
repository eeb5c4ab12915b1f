/**
 * Field offsets of an FRM2 record. Integers are unsigned and big-endian. A record is a header
 * and exactly `payload_length` bytes. A broker slot has room for the longest record.
 */
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
  hardwareSequence: 56,
  filterHit: 58,
  checksum: 59,
  reserved: 60,
  payload: 64,
} as const;

export const frm2Magic = 0x46524d32;
export const frm2Version = 2;
export const frm2HeaderLength = 64;
export const frm2SlotBytes = 128;

/** Values of the `bus` byte: the frame kind, not the port's bus. */
export const busCode = { can: 1, canfd: 2, lin: 3 } as const;
export type Bus = keyof typeof busCode;
export type CanKind = Exclude<Bus, 'lin'>;
export const buses = Object.keys(busCode) as readonly Bus[];

export const eventKindCode = { rx_frame: 1, tx_complete: 2 } as const;
export type EventKind = keyof typeof eventKindCode;

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

/** `status` values about the device instead of the bus. */
export const deviceStatus = { lost: 8, returned: 9 } as const;
