import { busNames } from '../../../src/frame/frm2-event.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex, hexDigits } from '../../../src/frame/hex-bytes.ts';
import { formatNotation } from '../../../src/frame/notation.ts';
import { gapRemark } from '../../../src/trace/trace-gap.ts';
import { counted, formatCount, formatInstant } from '../format/figures.ts';
import { droppedKind, someChannels } from './frame-chunk.ts';
import type { FrameRow } from './frame-row.ts';

/** All gaps of a stream in one line; gaps of unknown size make the sum a lower bound. */
export const gapSum = (gaps: number, missing: number, uncounted: number): string => {
  if (gaps === 0) return 'no gaps';
  const least = uncounted > 0 ? 'at least ' : '';
  const sum = uncounted > 0 && missing === 0 ? 'an unknown number' : least + formatCount(missing);
  return `▲ ${counted(gaps, 'gap')}, ${sum} missing`;
};

/** A gap as a remark in a file; `trace info` counts these remarks. */
export const gapRemarkOf = (missing: number): string =>
  gapRemark(Number.isFinite(missing) ? missing : null);

export const gapSentence = (missing: number, eventId: number): string => {
  if (missing === someChannels) return 'Older frames of other channels are missing';
  return Number.isNaN(missing)
    ? `Frames are missing after event ${formatCount(eventId)}: event IDs restarted, so their number is unknown`
    : `${counted(missing, 'frame')} ${missing === 1 ? 'is' : 'are'} missing after event ${formatCount(eventId)}`;
};

interface FrameView {
  readonly bus: number;
  readonly kind: number;
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  readonly length: number;
  readonly errors: number;
}

export const idText = ({ bus, id, flags }: FrameView): string => {
  if (bus === busCode.lin) return hexDigits(id, 2);
  return hexDigits(id, (flags & (frameFlag.extended | frameFlag.error)) !== 0 ? 8 : 3);
};

export const directionText = ({ kind }: FrameView): string =>
  kind === eventKindCode.tx_complete || kind === droppedKind ? 'Tx' : 'Rx';

const linStates: readonly (readonly [flag: number, text: string])[] = [
  [frameFlag.error, 'LIN error'],
  [frameFlag.checksumError, 'LIN bad checksum'],
  [frameFlag.noResponse, 'LIN no response'],
  [frameFlag.syncBreak, 'LIN sync break'],
  [frameFlag.wakeUp, 'LIN wake-up'],
  [frameFlag.sleep, 'LIN sleep'],
];

export const kindText = ({ bus, id, flags, errors }: FrameView): string => {
  if ((flags & frameFlag.error) !== 0 && errors === 0) return id === 0 ? 'Device' : 'State change';
  if (bus === busCode.lin) return linStates.find(([flag]) => (flags & flag) !== 0)?.[1] ?? 'LIN';
  if ((flags & frameFlag.error) !== 0) return errors > 1 ? `Error ×${errors}` : 'Error frame';
  if ((flags & frameFlag.remote) !== 0) return 'CAN remote';
  if ((flags & frameFlag.fd) === 0) return 'CAN';
  const isBrs = (flags & frameFlag.brs) !== 0;
  const isPassive = (flags & frameFlag.esi) !== 0;
  return `FD${isBrs ? ' BRS' : ''}${isPassive ? ' ESI' : ''}`;
};

const notSendable = frameFlag.syncBreak | frameFlag.wakeUp;

/** The frame as `message send` accepts it; empty if it cannot be sent. */
export const notationText = (row: FrameView & Pick<FrameRow, 'data'>): string => {
  const { bus, id, flags, dlc, data, length } = row;
  if (isFault(row) || (flags & notSendable) !== 0) return '';
  const name = busNames[bus];
  if (name === undefined) return '';
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return formatNotation({
    bus: name,
    id,
    extended: has(frameFlag.extended),
    remote: has(frameFlag.remote),
    brs: has(frameFlag.brs),
    esi: has(frameFlag.esi),
    dlc,
    data: formatHex(data, '', length),
  });
};

const badFlags = frameFlag.error | frameFlag.checksumError | frameFlag.noResponse;

export const isFault = ({ flags }: FrameView): boolean => (flags & badFlags) !== 0;

export const timeModes = ['absolute', 'relative', 'delta'] as const;
export type TimeMode = (typeof timeModes)[number];

const seconds = (us: number): string => {
  const sign = us < 0 ? '−' : '';
  const whole = Math.floor(Math.abs(us) / 1e6);
  const micros = Math.round(Math.abs(us) - whole * 1e6);
  return `${sign}${whole}.${String(micros).padStart(6, '0')}`;
};

export const timeText = (
  row: Pick<FrameRow, 'timestampUs' | 'previousUs'>,
  mode: TimeMode,
  originUs: number,
): string => {
  if (mode === 'absolute') return formatInstant(row.timestampUs, 6);
  if (mode === 'relative') return seconds(row.timestampUs - originUs);
  const us = row.timestampUs - row.previousUs;
  // Channel clocks differ: the next event can be slightly earlier.
  return Number.isNaN(us) ? '' : `${us < 0 ? '' : '+'}${seconds(us)}`;
};
