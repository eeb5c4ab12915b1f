import type { ChecksumModel } from './frame.ts';
import { frameFlag } from './frm2-layout.ts';

export const linVersions = ['1.3', '2.0', '2.1', '2.2'] as const;
export type LinVersion = (typeof linVersions)[number];

/** LIN 1.x has only the classic checksum; LIN 2.0 added the enhanced one. */
export const hasEnhancedChecksum = (version: LinVersion): boolean => !version.startsWith('1.');

/** Channel defaults for frames that do not specify them. */
export interface LinModel {
  readonly version: LinVersion;
  readonly checksum: ChecksumModel;
}

export const classicChecksumOnly = 'LIN 1.3 supports the classic checksum only';

export const maxLinLength = 8;

/** Diagnostic frames (0x3C, 0x3D) use the classic checksum in every LIN version. */
export const linMasterRequestId = 0x3c;
export const linSlaveResponseId = 0x3d;

export const isDiagnosticId = (id: number): boolean =>
  id === linMasterRequestId || id === linSlaveResponseId;

export const linLengthError = (
  id: number,
  length: number,
): 'missing' | 'too_long' | 'diagnostic_id' | null => {
  if (length === 0) return 'missing';
  if (length > maxLinLength) return 'too_long';
  return isDiagnosticId(id) && length !== maxLinLength ? 'diagnostic_id' : null;
};

const parityOf = (id: number): number => {
  const p0 = id ^ (id >> 1) ^ (id >> 2) ^ (id >> 4);
  const p1 = ~((id >> 1) ^ (id >> 3) ^ (id >> 4) ^ (id >> 5));
  return ((p0 & 1) << 6) | ((p1 & 1) << 7);
};

const protectedIds = Uint8Array.from({ length: 64 }, (_, id) => id | parityOf(id));

export const protectedId = (id: number): number => protectedIds[id & 0x3f] as number;

export const hasValidParity = (pid: number): boolean => protectedId(pid) === pid;

export const linChecksumModel = (id: number, asked: ChecksumModel): ChecksumModel =>
  isDiagnosticId(id) ? 'classic' : asked;

export const linChecksum = (
  enhanced: boolean,
  id: number,
  data: Uint8Array,
  from: number,
  length: number,
): number => {
  let sum = enhanced ? protectedId(id) : 0;
  for (let i = from; i < from + length; i++) {
    sum += data[i] as number;
    // The carry is added back, so the sum stays within eight bits.
    if (sum > 0xff) sum -= 0xff;
  }
  return ~sum & 0xff;
};

/** Data length of a LIN 1.x frame, which its identifier determines. */
export const lin1Length = (id: number): number => {
  if (id < 0x20) return 2;
  return id < 0x30 ? 4 : 8;
};

/** Maximum ratio to the nominal time, for header and response separately. */
export const linMaxStretch = 1.4;

/** Break 13, delimiter 1, sync and PID 10 each. */
export const linHeaderBits = 34;

/** Ten bits per byte, including the checksum byte. */
export const linResponseBits = (length: number): number => 10 * (length + 1);

/** Bits of a frame on the wire; without data nothing follows the header. */
export const linFrameBits = (length: number): number =>
  linHeaderBits + (length === 0 ? 0 : linResponseBits(length));

export const linHeaderUs = (bitrate: number): number => (linHeaderBits * 1e6) / bitrate;

export const linResponseUs = (length: number, bitrate: number): number =>
  (linResponseBits(length) * 1e6) / bitrate;

/** Maximum time from the end of the header to the last byte of the response. */
export const linMaxResponseUs = (length: number, bitrate: number): number =>
  linMaxStretch * linResponseUs(length, bitrate);

/** Go-to-sleep command. Slaves check only its first byte. */
export const isSleepFrame = (id: number, data: Uint8Array, from: number, length: number): boolean =>
  id === linMasterRequestId && length === maxLinLength && data[from] === 0;

export const usesEnhancedChecksum = (id: number, flags: number): boolean =>
  (flags & frameFlag.enhancedChecksum) !== 0 && !isDiagnosticId(id);
