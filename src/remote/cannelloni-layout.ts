/**
 * The cannelloni UDP format, version 2. A datagram is a header and consecutive frames; integers
 * are big-endian. A frame consists of identifier word, length, CAN FD flags if any, and data. A
 * remote frame has a length and no data.
 */
export const datagramHeader = { version: 0, opcode: 1, sequence: 2, count: 3, length: 5 } as const;

export const cannelloniVersion = 2;
/** The only opcode with frames; the others are acknowledgments, which are not needed. */
export const dataOpcode = 0;
export const sequenceModulus = 256;

/** Flags above the identifier. */
export const idBit = { extended: 0x8000_0000, remote: 0x4000_0000, error: 0x2000_0000 } as const;

/** Marks a CAN FD frame, followed by a flag byte. */
export const fdLengthBit = 0x80;
export const fdFlag = { brs: 0x01, esi: 0x02 } as const;

/** Identifier word and length byte. */
export const frameHeadBytes = 5;

export const payloadLimit = { ipv4: 1472, ipv6: 1452 } as const;
