/**
 * The cannelloni UDP format, version 2. A datagram is a header and the frames one behind the other;
 * integers are big-endian. A frame is its identifier word, its length, for CAN FD its flags, and its
 * data; a remote frame has a length and no data.
 */
export const datagramHeader = {
  version: 0,
  opcode: 1,
  sequence: 2,
  count: 3,
  length: 5,
} as const;

export const cannelloniVersion = 2;
/** The only opcode that carries frames; the others acknowledge, which forwarding does not need. */
export const dataOpcode = 0;
/** Sequence numbers are bytes. */
export const sequenceModulus = 256;

/** Bits of the identifier word, above the identifier itself. */
export const idBit = {
  extended: 0x8000_0000,
  remote: 0x4000_0000,
  error: 0x2000_0000,
} as const;

/** Set in the length byte of a CAN FD frame, which a flag byte follows. */
export const fdLengthBit = 0x80;
export const fdFlag = { brs: 0x01, esi: 0x02 } as const;

/** Identifier word and length byte: what every frame has. */
export const frameHeadBytes = 5;

/** What fits into one Ethernet packet behind the headers of IP and UDP. */
export const payloadLimit = { ipv4: 1472, ipv6: 1452 } as const;
