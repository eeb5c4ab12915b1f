import type { Clock } from '../../base/clock/clock.ts';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { frm2Flags, frm2PayloadLength, frm2TimestampUs } from '../../frame/frm2-codec.ts';
import { frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import type { IsotpAddress } from '../../pdu/isotp/addressing.ts';
import type { IsotpFrame } from '../../pdu/isotp/isotp-frame.ts';
import { Pci, readPci } from '../../pdu/isotp/pci.ts';
import type { IsotpReceiver } from '../../pdu/isotp/receiver.ts';

/** Frames of a sender or receiver wait in a lane only a few at a time. */
const maxTags = 256;
const noTag = -1;

/** ISO-TP frames in a lane. The tag of each says what it is when its outcome is reported. */
export class IsotpLane {
  readonly #lane: Lane;
  readonly #clock: Clock;
  readonly #tags = new Uint8Array(maxTags);
  #oldest = 0;
  #size = 0;

  constructor(lane: Lane, clock: Clock) {
    this.#lane = lane;
    this.#clock = clock;
  }

  /** Tag of the frame whose outcome is reported next, or -1. */
  get oldest(): number {
    return this.#size === 0 ? noTag : (this.#tags[this.#oldest] as number);
  }

  submit({ id, flags, dlc, data, length }: IsotpFrame, tag: number): SendResult {
    // Before the call, in which the outcome of the frame can be reported.
    this.push(tag);
    const result = this.#lane.send(id, flags, dlc, data, 0, length);
    if (result !== 'accepted') this.#pop();
    return result;
  }

  /** Submits the flow control of a receiver, if it has one. False if the lane is full. */
  submitFlow(receiver: IsotpReceiver, tag: number): boolean {
    const frame = receiver.next();
    if (!frame) return true;
    const result = this.submit(frame, tag);
    if (result === 'accepted') return true;
    receiver.putBack();
    if (result === 'full') return false;
    receiver.next();
    receiver.dropped(this.#clock.monotonicUs());
    return true;
  }

  /** Takes the place of a frame that is never submitted. */
  push(tag: number): void {
    this.#tags[(this.#oldest + this.#size) % maxTags] = tag;
    this.#size += 1;
  }

  /** Takes the oldest tag: -1 if no frame has one. */
  shift(): number {
    const tag = this.oldest;
    if (tag === noTag) return tag;
    this.#oldest = (this.#oldest + 1) % maxTags;
    this.#size -= 1;
    return tag;
  }

  /** Takes back the frames that have not reached the port, the newest first. */
  discard(taken: (tag: number) => void): void {
    for (let left = this.#lane.discard(); left > 0; left--) taken(this.#pop());
  }

  close(): void {
    this.#lane.close();
  }

  #pop(): number {
    this.#size -= 1;
    return this.#tags[(this.#oldest + this.#size) % maxTags] as number;
  }
}

/** The end of a frame on the bus, by the clock of deadlines: earlier than now if it is read late. */
export const frameEndUs = (clock: Clock, record: DataView, at: number): number =>
  Math.min(clock.monotonicUs(), frm2TimestampUs(record, at) - clock.unixOffsetUs);

const foreign = frameFlag.remote | frameFlag.error;

/** Reads received frames. One object serves all frames of a channel. */
export class IsotpInput {
  readonly pci = new Pci();
  readonly bytes = new Uint8Array(maxFdLength);

  /** False for a frame that is not from an address, whose identifier was compared before. */
  read(record: DataView, at: number, { extended, addressByte }: IsotpAddress): boolean {
    const flags = frm2Flags(record, at);
    if ((flags & foreign) !== 0) return false;
    if (((flags & frameFlag.extended) !== 0) !== extended) return false;
    const length = frm2PayloadLength(record, at);
    const { bytes } = this;
    for (let i = 0; i < length; i++) bytes[i] = record.getUint8(at + frm2.payload + i);
    if (addressByte !== null && bytes[0] !== addressByte) return false;
    readPci(this.pci, bytes, 0, length, addressByte === null ? 0 : 1);
    return true;
  }
}
