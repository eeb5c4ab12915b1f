/**
 * CAN bus errors are reported as SocketCAN error frames: class bits in the id, and eight detail
 * bytes.
 */

export const canErrorClass = {
  txTimeout: 0x001,
  arbitrationLost: 0x002,
  controller: 0x004,
  protocol: 0x008,
  transceiver: 0x010,
  noAcknowledge: 0x020,
  busOff: 0x040,
  busError: 0x080,
  restarted: 0x100,
  counters: 0x200,
} as const;

/** Bits of detail byte 1 in class `controller`. */
export const canControllerError = {
  rxOverflow: 0x01,
  txOverflow: 0x02,
  rxWarning: 0x04,
  txWarning: 0x08,
  rxPassive: 0x10,
  txPassive: 0x20,
  active: 0x40,
} as const;

/** Bits of detail byte 2 in class `protocol`. */
export const canProtocolError = { bit: 0x01, form: 0x02, stuff: 0x04, transmitting: 0x80 } as const;

/** Values of detail byte 3: error location in the frame. */
export const canErrorLocation = {
  unspecified: 0x00,
  reservedBit: 0x09,
  crcSequence: 0x08,
  acknowledgeSlot: 0x19,
  acknowledgeDelimiter: 0x1b,
} as const;

export const canErrorLength = 8;

export const writeCanErrorDetails = (
  bytes: Uint8Array,
  offset: number,
  controller: number,
  protocol: number,
  location: number,
  txErrorCount: number,
  rxErrorCount: number,
): void => {
  bytes[offset] = 0;
  bytes[offset + 1] = controller;
  bytes[offset + 2] = protocol;
  bytes[offset + 3] = location;
  bytes[offset + 4] = 0;
  bytes[offset + 5] = 0;
  bytes[offset + 6] = Math.min(txErrorCount, 0xff);
  bytes[offset + 7] = Math.min(rxErrorCount, 0xff);
};
