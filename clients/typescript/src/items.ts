import type { MessageEvent } from './schema.ts';

/** Marks missing events at their position in a stream. */
export interface Gap {
  /**
   * `lost`: no longer stored when they were due. `reconnected`: the stream stores nothing, so
   * events during the interruption are missing. `restarted`: a new daemon or Web service counts
   * from scratch.
   */
  readonly gap: 'lost' | 'reconnected' | 'restarted';
  /** Number of missing events; null if unknown. */
  readonly missed: number | null;
  readonly oldest_available: number | null;
  readonly newest_available: number | null;
}

/** An event of a state stream, such as a gateway instance or Modbus. */
export interface StateEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A frame of the binary stream: its data are bytes, and it has a slot instead of a port. */
export type BinaryFrame = Omit<MessageEvent, 'selector' | 'data'> & { readonly data: Uint8Array };

export const isGap = (item: object): item is Gap => 'gap' in item;

export const gapOf = (gap: Gap['gap'], reported: Partial<Omit<Gap, 'gap'>> = {}): Gap => ({
  gap,
  missed: reported.missed ?? null,
  oldest_available: reported.oldest_available ?? null,
  newest_available: reported.newest_available ?? null,
});

const headerLength = 64;
const magic = 0x46524d32;
const buses = { 1: 'can', 2: 'canfd', 3: 'lin' } as const;
const kinds = { 1: 'rx_frame', 2: 'tx_complete' } as const;
const flag = { extended: 1, remote: 2, fd: 4, brs: 8, esi: 16, error: 32 };
const countBytes = 4;

/** Decodes an FRM2 record. */
export const decodeFrame = (bytes: Uint8Array): BinaryFrame => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerLength || view.getUint32(0) !== magic || view.getUint8(4) !== 2) {
    throw new RangeError('This is no FRM2 record');
  }
  const dataAt = view.getUint8(5);
  const length = view.getUint8(10);
  if (bytes.length < dataAt + length) throw new RangeError('The record is cut off');
  const dlc = view.getUint8(11);
  const flags = view.getUint32(16);
  const status = view.getUint32(20);
  // An error record may end with the number of error frames it represents.
  const hasCount = (flags & flag.error) !== 0 && length === dlc + countBytes;
  const is = (bit: number): boolean => (flags & bit) !== 0;
  return {
    event_id: Number(view.getBigUint64(24)),
    source_sequence: Number(view.getBigUint64(32)),
    stream_epoch: Number(view.getBigUint64(40)),
    kind: kinds[view.getUint8(7) as keyof typeof kinds],
    bus: buses[view.getUint8(6) as keyof typeof buses],
    channel: view.getUint16(8),
    id: view.getUint32(12),
    extended: is(flag.extended),
    remote: is(flag.remote),
    fd: is(flag.fd),
    brs: is(flag.brs),
    esi: is(flag.esi),
    error: is(flag.error),
    dlc,
    data: bytes.slice(dataAt, dataAt + length - (hasCount ? countBytes : 0)),
    flags,
    status,
    timestamp_us: Number(view.getBigUint64(48)),
    hardware_sequence: view.getUint16(56),
    filter_hit: view.getUint8(58),
    checksum: view.getUint8(59),
    ...(status === 0 ? {} : { count: hasCount ? view.getUint32(dataAt + dlc) : 1 }),
  };
};
