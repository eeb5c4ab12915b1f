/**
 * A J1939 identifier, from the most significant bit:
 *
 *     | priority 3 | extended data page 1 | data page 1 | PDU format 8 | PDU specific 8 | source 8 |
 *
 * With a PDU format of 240 or more, PDU specific is part of the parameter group number (PDU2).
 * Below that it is the destination address (PDU1).
 */
const firstPdu2 = 0xf0_0000;
const pduFormat = 0xff_0000;

export const pgnOf = (id: number): number =>
  ((id & pduFormat) < firstPdu2 ? id & 0x03ff_0000 : id & 0x03ff_ff00) >>> 8;

export const unprioritized = (id: number): number => id & 0x03ff_ffff;

export const sourceOf = (id: number): number => id & 0xff;
