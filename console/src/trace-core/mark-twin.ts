import { maxFdLength } from '../../../src/frame/dlc.ts';
import { eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { type FrameChunk, twinRow } from './frame-chunk.ts';

/** Rows among which a twin is searched. */
const nearRows = 64;
/**
 * A frame is received when it is sent. The reports of two adapters differ by their clocks; a route
 * that forwards a frame sends it at least the duration of a frame after it was received.
 */
const maxDelayUs = 2000;
const maxEarlyUs = 20;

const isFrame = ({ kind, flags }: FrameChunk, row: number): boolean =>
  (kind[row] === eventKindCode.rx_frame || kind[row] === eventKindCode.tx_complete) &&
  ((flags[row] as number) & frameFlag.error) === 0;

const isSameFrame = (chunk: FrameChunk, one: number, other: number): boolean => {
  const { id, flags, bus, length, dlc, payload } = chunk;
  if (id[one] !== id[other] || flags[one] !== flags[other] || bus[one] !== bus[other]) return false;
  if (length[one] !== length[other] || dlc[one] !== dlc[other]) return false;
  const [from, to] = [one * maxFdLength, other * maxFdLength];
  for (let i = 0; i < (length[one] as number); i++) {
    if (payload[from + i] !== payload[to + i]) return false;
  }
  return true;
};

/** Time from the sent to the received frame, if a row can be the twin of the last one. */
const delayUs = ({ kind, timestampUs, twin }: FrameChunk, row: number, last: number): number => {
  if (kind[row] === kind[last]) return Number.NaN;
  const us = (timestampUs[last] as number) - (timestampUs[row] as number);
  if (kind[last] === eventKindCode.rx_frame) return twin[row] === twinRow.further ? Number.NaN : us;
  // Its own twin was sent before.
  return twin[row] === twinRow.none ? -us : Number.NaN;
};

/** Marks the last row and the one nearest in time that reports the same frame as its twin. */
export const markTwin = (chunk: FrameChunk, last: number): void => {
  if (!isFrame(chunk, last)) return;
  const { timestampUs, twin } = chunk;
  let nearest = -1;
  let shortestUs = Number.POSITIVE_INFINITY;
  for (let row = last - 1; row >= 0 && last - row <= nearRows; row--) {
    const ageUs = (timestampUs[last] as number) - (timestampUs[row] as number);
    if (ageUs > maxDelayUs) break;
    const us = delayUs(chunk, row, last);
    if (!(us >= -maxEarlyUs && us <= maxDelayUs) || Math.abs(us) >= shortestUs) continue;
    if (!isFrame(chunk, row) || !isSameFrame(chunk, row, last)) continue;
    nearest = row;
    shortestUs = Math.abs(us);
  }
  if (nearest < 0) return;
  twin[nearest] = twinRow.first;
  twin[last] = twinRow.further;
};
