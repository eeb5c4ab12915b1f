/**
 * Messages of the kernel's broadcast manager (can/bcm.h), which sends frames by itself:
 *
 *     0        4       8       16           32           48      52       56
 *     | opcode | flags | count | interval 1 | interval 2 | id    | frames | frame …
 *
 * Intervals are seconds and microseconds in 64 bits each. It sends `count` frames every interval 1 and
 * then one every interval 2; the first goes out at once.
 */
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { CyclicJob } from '../can-offload.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';

const headBytes = 56;
const opcode = { setUp: 1, expired: 9 } as const;
const flag = { setTimer: 0x1, startTimer: 0x2, tellExpiry: 0x4, fdFrame: 0x800 } as const;

const putInterval = (view: DataView, at: number, us: number): void => {
  view.setBigInt64(at, BigInt(Math.floor(us / 1e6)), true);
  view.setBigInt64(at + 8, BigInt(Math.floor(us % 1e6)), true);
};

/** Asks for a frame to be sent every period, so many times; 0 goes on until the socket is closed. */
export const cyclicMessage = (job: CyclicJob, count: number): Uint8Array => {
  const { id, flags, dlc, data, periodUs } = job;
  const buffer = new ArrayBuffer(headBytes + rawSlotBytes);
  const frames = new RawFrames(buffer, headBytes, 1);
  const used = frames.write(0, id, flags, dlc, data, 0, data.length);
  const view = new DataView(buffer);
  const isFd = (flags & frameFlag.fd) !== 0;
  const options = flag.setTimer | flag.startTimer | (count > 0 ? flag.tellExpiry : 0);
  view.setUint32(0, opcode.setUp, true);
  view.setUint32(4, options | (isFd ? flag.fdFrame : 0), true);
  view.setUint32(8, count, true);
  putInterval(view, count > 0 ? 16 : 32, periodUs);
  view.setUint32(48, frames.word(0), true);
  view.setUint32(52, 1, true);
  return new Uint8Array(buffer, 0, headBytes + used);
};

/** Whether a message says that all frames of a count were sent. */
export const tellsExpiry = (message: Uint8Array, length: number): boolean =>
  length >= headBytes &&
  new DataView(message.buffer, message.byteOffset).getUint32(0, true) === opcode.expired;

/** Frames that were sent, as the kernel lists a job: `tx_op: 123 vcan0 [1] t2=100000 # sent 42`. */
export const sentInList = (list: string): number | undefined => {
  const sent = /^\s*tx_op:.*# sent (\d+)/m.exec(list)?.[1];
  return sent === undefined ? undefined : Number(sent);
};
