import { type CanKind, frameFlag } from './frm2-layout.ts';

export const maxStandardId = 0x7ff;
export const maxExtendedId = 0x1fff_ffff;
export const maxLinId = 0x3f;
export const reservedLinId = 0x3f;

/** Classic: over the data only. Enhanced: over PID and data. */
export const checksumModels = ['classic', 'enhanced'] as const;
export type ChecksumModel = (typeof checksumModels)[number];

/** CAN or CAN FD frame outside the hot path, which uses FRM2 bytes. */
export interface CanFrame {
  readonly bus: CanKind;
  /** Identifier, or class bits of an error frame. */
  readonly id: number;
  readonly extended: boolean;
  readonly remote: boolean;
  readonly fd: boolean;
  readonly brs: boolean;
  readonly esi: boolean;
  readonly error: boolean;
  readonly dlc: number;
  readonly data: Uint8Array;
}

export const linFrameTypes = ['master-write', 'master-read', 'sync-break'] as const;
export type LinFrameType = (typeof linFrameTypes)[number];

export interface LinFrame {
  readonly bus: 'lin';
  readonly type: LinFrameType;
  /** Identifier without parity; 0 in a sync break. */
  readonly id: number;
  /** Response length in bytes. For a master read: the expected length, 0 if unknown. */
  readonly dlc: number;
  readonly data: Uint8Array;
  readonly checksum: ChecksumModel;
}

export type Frame = CanFrame | LinFrame;

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
