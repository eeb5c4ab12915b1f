import type { ChecksumModel } from './frame.ts';
import { frameFlag } from './frm2-layout.ts';

export const linVersions = ['1.3', '2.0', '2.1', '2.2'] as const;
export type LinVersion = (typeof linVersions)[number];

/** LIN 1.x has the classic checksum alone; the enhanced one came with LIN 2.0. */
export const hasEnhancedChecksum = (version: LinVersion): boolean => !version.startsWith('1.');

/** What a LIN channel makes of frames that do not say it themselves. */
export interface LinModel {
  readonly version: LinVersion;
  readonly checksum: ChecksumModel;
}

export const classicChecksumOnly = 'LIN 1.3 has the classic checksum only';

export const maxLinLength = 8;

/** Master request and slave response of diagnostics: classic in every version of LIN. */
export const linMasterRequestId = 0x3c;
export const linSlaveResponseId = 0x3d;

export const isDiagnosticId = (id: number): boolean =>
  id === linMasterRequestId || id === linSlaveResponseId;

/** Why no master writes so many data bytes with that identifier. */
export const linLengthFlaw = (
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

/** The identifier with its two parity bits, as it goes over the wire. */
export const protectedId = (id: number): number => protectedIds[id & 0x3f] as number;

/** Whether the parity bits of a received PID fit its identifier, `pid & 0x3F`. */
export const hasValidParity = (pid: number): boolean => protectedId(pid) === pid;

/** The model a frame really has, where the channel or the request asks for one. */
export const linChecksumModel = (id: number, asked: ChecksumModel): ChecksumModel =>
  isDiagnosticId(id) ? 'classic' : asked;

/** The checksum byte over `length` data bytes that start at `from`. */
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
    // The carry goes back in at the bottom, so the sum never needs more than eight bits.
    if (sum > 0xff) sum -= 0xff;
  }
  return ~sum & 0xff;
};

/** Data bytes of a LIN 1.x frame, where the identifier fixes them. */
export const lin1Length = (id: number): number => {
  if (id < 0x20) return 2;
  return id < 0x30 ? 4 : 8;
};

/** A frame may take this much longer than nominal, header and response each. */
export const linMaxStretch = 1.4;

/** Break 13, delimiter 1, sync and PID 10 each. */
export const linHeaderBits = 34;

/** A byte takes ten bits; the checksum follows the data. */
export const linResponseBits = (length: number): number => 10 * (length + 1);

export const linHeaderUs = (bitrate: number): number => (linHeaderBits * 1e6) / bitrate;

export const linResponseUs = (length: number, bitrate: number): number =>
  (linResponseBits(length) * 1e6) / bitrate;

/** How long a whole frame takes without any pause between its bytes. */
export const linFrameUs = (length: number, bitrate: number): number =>
  linHeaderUs(bitrate) + linResponseUs(length, bitrate);

/** How long a master waits after its header for the last byte of the response. */
export const linMaxResponseUs = (length: number, bitrate: number): number =>
  linMaxStretch * linResponseUs(length, bitrate);

export const linMaxFrameUs = (length: number, bitrate: number): number =>
  linMaxStretch * linFrameUs(length, bitrate);

/** Whether a frame is the command to go to sleep; slaves look at its first byte alone. */
export const isSleepFrame = (id: number, data: Uint8Array, from: number, length: number): boolean =>
  id === linMasterRequestId && length === maxLinLength && data[from] === 0;

/** Whether a frame that is asked for with those flags has the enhanced checksum. */
export const usesEnhancedChecksum = (id: number, flags: number): boolean =>
  (flags & frameFlag.enhancedChecksum) !== 0 && !isDiagnosticId(id);
