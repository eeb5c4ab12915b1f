import { globalAddress, idOfGroup, pgnOf } from '../../database/j1939.ts';

export const transportPgn = {
  connection: 0xec00,
  data: 0xeb00,
  extendedConnection: 0xc800,
  extendedData: 0xc700,
} as const;

/**
 * First byte of a connection management frame. The other bytes:
 *
 *     RTS        10 | size 2 | packets | packets per CTS | pgn 3
 *     CTS        11 | packets | next packet | FF FF      | pgn 3
 *     EOMA       13 | size 2 | packets | FF              | pgn 3
 *     BAM        20 | size 2 | packets | FF              | pgn 3
 *     ETP RTS    14 | size 4                             | pgn 3
 *     ETP CTS    15 | packets | next packet 3            | pgn 3
 *     ETP DPO    16 | packets | offset 3                 | pgn 3
 *     ETP EOMA   17 | size 4                             | pgn 3
 *     abort      FF | reason | FF FF FF                  | pgn 3
 */
export const control = {
  rts: 0x10,
  cts: 0x11,
  endOfMessage: 0x13,
  broadcast: 0x20,
  extendedRts: 0x14,
  extendedCts: 0x15,
  packetOffset: 0x16,
  extendedEnd: 0x17,
  abort: 0xff,
} as const;

export const transportLength = 8;
export const packetBytes = 7;
export const maxSingleFrame = 8;
export const maxTransport = 255 * packetBytes;
export const maxExtendedTransport = 0xff_ffff * packetBytes;

/** Whether a frame with this 29-bit identifier carries a packet of a transfer. */
export const isTransferData = (id: number): boolean => {
  const pgn = pgnOf(id);
  return pgn === transportPgn.data || pgn === transportPgn.extendedData;
};

export const packetsOf = (size: number): number => Math.ceil(size / packetBytes);

export const uint16At = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const uint24At = (bytes: Uint8Array, at: number): number =>
  uint16At(bytes, at) | ((bytes[at + 2] as number) << 16);

export const uint32At = (bytes: Uint8Array, at: number): number =>
  uint24At(bytes, at) + (bytes[at + 3] as number) * 0x100_0000;

/** Priority of transport frames that we send. */
export const transportPriority = 7;

export interface TransportFrame {
  readonly id: number;
  readonly data: Uint8Array;
}

interface Ends {
  readonly source: number;
  readonly destination: number;
}

const unused = 0xff;

const pgnBytes = (pgn: number): number[] => [pgn & 0xff, (pgn >> 8) & 0xff, pgn >> 16];

const controlFrame = (
  { source, destination }: Ends,
  pgn: number,
  bytes: readonly number[],
): TransportFrame => ({
  id: idOfGroup(transportPriority, transportPgn.connection, destination, source),
  data: Uint8Array.from([...bytes, ...pgnBytes(pgn)]),
});

export const broadcastFrame = (source: number, pgn: number, size: number): TransportFrame =>
  controlFrame({ source, destination: globalAddress }, pgn, [
    control.broadcast,
    size & 0xff,
    size >> 8,
    packetsOf(size),
    unused,
  ]);

export const requestToSend = (ends: Ends, pgn: number, size: number): TransportFrame =>
  controlFrame(ends, pgn, [control.rts, size & 0xff, size >> 8, packetsOf(size), unused]);

export const clearToSend = (
  ends: Ends,
  pgn: number,
  packets: number,
  next: number,
): TransportFrame => controlFrame(ends, pgn, [control.cts, packets, next, unused, unused]);

export const endOfMessage = (ends: Ends, pgn: number, size: number): TransportFrame =>
  controlFrame(ends, pgn, [control.endOfMessage, size & 0xff, size >> 8, packetsOf(size), unused]);

export const abortFrame = (ends: Ends, pgn: number, reason: number): TransportFrame =>
  controlFrame(ends, pgn, [control.abort, reason, unused, unused, unused]);

/** Packet `sequence` from 1; the last one is filled with FF. */
export const dataFrame = (
  { source, destination }: Ends,
  payload: Uint8Array,
  sequence: number,
): TransportFrame => {
  const data = new Uint8Array(transportLength).fill(unused);
  data[0] = sequence;
  const from = (sequence - 1) * packetBytes;
  data.set(payload.subarray(from, from + packetBytes), 1);
  return { id: idOfGroup(transportPriority, transportPgn.data, destination, source), data };
};
