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

export const priorityOf = (id: number): number => (id >>> 26) & 7;

/** Destination of messages to all nodes. */
export const globalAddress = 0xff;

/** Source of a node without an address. */
export const nullAddress = 0xfe;

/** Highest address of a node. */
export const maxAddress = 0xfd;

export const maxPgn = 0x3_ffff;

/** Groups of fault codes. */
export const diagnosticPgns = { dm1: 0xfeca, dm2: 0xfecb } as const;

export const isDiagnosticPgn = (pgn: number | null): boolean =>
  pgn === diagnosticPgns.dm1 || pgn === diagnosticPgns.dm2;

/** PDU1: the group has a destination address. */
export const isAddressed = (pgn: number): boolean => (pgn & 0xff00) < 0xf000;

export const destinationOf = (id: number): number =>
  (id & pduFormat) < firstPdu2 ? (id >>> 8) & 0xff : globalAddress;

/** The last byte of an addressed group is not part of it, although transfers can announce it. */
const groupBits = (pgn: number): number => (isAddressed(pgn) ? pgn & 0x3_ff00 : pgn);

/** The destination is not in identifiers of PDU2 groups. */
export const idOfGroup = (
  priority: number,
  pgn: number,
  destination: number,
  source: number,
): number =>
  ((priority << 26) |
    (groupBits(pgn) << 8) |
    (isAddressed(pgn) ? destination << 8 : 0) |
    source) >>>
  0;
