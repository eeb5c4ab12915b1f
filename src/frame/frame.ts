import { type CanKind, frameFlag } from './frm2-layout.ts';

export const maxStandardId = 0x7ff;
export const maxExtendedId = 0x1fff_ffff;
export const maxLinId = 0x3f;
/** Set aside for a later version of LIN: no node sends it. */
export const reservedLinId = 0x3f;

/** How the checksum of a LIN frame is formed: over the data alone, or over PID and data. */
export const checksumModels = ['classic', 'enhanced'] as const;
export type ChecksumModel = (typeof checksumModels)[number];

/** A CAN or CAN FD frame off the hot path, where frames are FRM2 bytes. */
export interface CanFrame {
  readonly bus: CanKind;
  /** The identifier; the error class bits in an error frame. */
  readonly id: number;
  readonly extended: boolean;
  readonly remote: boolean;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly esi: boolean;
  readonly error: boolean;
  /** The code on the wire, 0 to 15. */
  readonly dlc: number;
  /** Empty in a remote frame. */
  readonly data: Uint8Array;
}

/** What a LIN master puts on the bus. */
export const linFrameTypes = ['master-write', 'master-read', 'sync-break'] as const;
export type LinFrameType = (typeof linFrameTypes)[number];

export interface LinFrame {
  readonly bus: 'lin';
  readonly type: LinFrameType;
  /** The identifier without parity; 0 in a sync break, which has none. */
  readonly id: number;
  /** Bytes of the response. In a master read the bytes expected, 0 when that is left open. */
  readonly dlc: number;
  /** Empty unless the master writes. */
  readonly data: Uint8Array;
  readonly checksum: ChecksumModel;
}

export type Frame = CanFrame | LinFrame;

/** The FRM2 flag word of a frame. */
export const frameFlags = (frame: Frame): number => {
  if (frame.bus === 'lin') {
    if (frame.type === 'sync-break') return frameFlag.syncBreak;
    return frame.checksum === 'enhanced' ? frameFlag.enhancedChecksum : 0;
  }
  return (
    (frame.extended ? frameFlag.extended : 0) |
    (frame.remote ? frameFlag.remote : 0) |
    (frame.fd ? frameFlag.fd : 0) |
    (frame.brs ? frameFlag.brs : 0) |
    (frame.esi ? frameFlag.esi : 0) |
    (frame.error ? frameFlag.error : 0)
  );
};
