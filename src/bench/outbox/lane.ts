import { RingQueue } from '../../base/ring-queue.ts';
import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { SendRefusal, SendResult } from '../../drivers/send-result.ts';
import { frm2Dlc, frm2Flags, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frm2 } from '../../frame/frm2-layout.ts';
import { type FrameStore, noSlot, txAction } from './frame-store.ts';

/**
 * Number of consecutive urgent frames before another lane is served, so that overload by tasks
 * blocks no lane.
 */
export const maxUrgentInARow = 16;

/** Round robin of lanes with waiting frames, urgent lanes first. */
export class LaneScheduler {
  readonly #urgent = new RingQueue<Lane>();
  readonly #others = new RingQueue<Lane>();
  #urgentInARow = 0;

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  isNext(lane: Lane): boolean {
    return this.#urgent.size === 0 && (lane.isUrgent || this.#others.size === 0);
  }

  join(lane: Lane, goesFirst = false): void {
    if (lane.isReady) return;
    lane.isReady = true;
    const queue = lane.isUrgent ? this.#urgent : this.#others;
    if (goesFirst) queue.unshift(lane);
    else queue.push(lane);
  }

  /** Removes and returns the next lane, which must join again. */
  next(): Lane | undefined {
    const isUrgent =
      this.#urgent.size > 0 && (this.#urgentInARow < maxUrgentInARow || this.#others.size === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const lane = isUrgent ? this.#urgent.shift() : this.#others.shift();
    if (lane) lane.isReady = false;
    return lane;
  }
}

export type TxOutcome =
  | 'sent'
  /** The port dropped the frame: reconfigured, lost or bus-off. */
  | 'failed'
  | 'expired'
  /** The frame's record was overwritten unread. */
  | 'unknown'
  | SendRefusal;

const outcomes: readonly string[] = ['sent', 'failed', 'expired', 'unknown'];

export const isRefusal = (outcome: TxOutcome): outcome is SendRefusal =>
  !outcomes.includes(outcome);

export interface LaneOwner {
  /**
   * Outcome of an accepted frame, in order of acceptance. `eventId` is the id of its completion
   * event, otherwise 0.
   */
  settled?(outcome: TxOutcome, atUs: number, eventId: number): void;
  room?(): void;
}

export interface LaneOptions {
  readonly isUrgent?: boolean;
  /** Maximum frames without an outcome. Default: capacity of the channel. */
  readonly max?: number;
  /** Frames that always find room. Default: a few if urgent, otherwise none. */
  readonly reserved?: number;
}

export interface LaneOutbox {
  readonly store: FrameStore;
  /** Lets the port report completions, which frees room. */
  catchUp(): void;
  submit(lane: Lane, slot: number): SendResult;
  discard(lane: Lane): number;
  close(lane: Lane): void;
}

const urgentRoom = 4;

const nothing = new Uint8Array(0);

/**
 * One sender's lane of a channel. Calls return `accepted`, `full` (`room` is called later), or
 * the reason why the port rejects the frame. Data is copied.
 */
export class Lane {
  readonly owner: LaneOwner;
  readonly isUrgent: boolean;
  readonly max: number;
  readonly reserved: number;
  pending = 0;
  waiting = 0;
  isReady = false;
  wantsRoom = false;
  isClosed = false;
  /** Opening of the gate in which this lane tried to send. */
  triedOpening = -1;
  readonly #outbox: LaneOutbox;
  readonly #store: FrameStore;
  #head = noSlot;
  #tail = noSlot;

  constructor(outbox: LaneOutbox, owner: LaneOwner, options: LaneOptions) {
    this.#outbox = outbox;
    this.#store = outbox.store;
    this.owner = owner;
    this.isUrgent = options.isUrgent ?? false;
    this.max = options.max ?? Number.POSITIVE_INFINITY;
    this.reserved = options.reserved ?? (this.isUrgent ? urgentRoom : 0);
  }

  /** Sends a CAN frame with FRM2 flags and exactly the data length of the DLC. */
  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs = Number.POSITIVE_INFINITY,
  ): SendResult {
    const slot = this.#take(txAction.send, id, flags, dlc);
    this.#store.deadlineUs[slot] = deadlineUs;
    this.#store.fill(slot, data, offset, length);
    return this.#outbox.submit(this, slot);
  }

  sendRecord(record: DataView, at: number, id: number): SendResult {
    const slot = this.#take(txAction.send, id, frm2Flags(record, at), frm2Dlc(record, at));
    this.#store.fillFrom(slot, record, at + frm2.payload, frm2PayloadLength(record, at));
    return this.#outbox.submit(this, slot);
  }

  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs = Number.POSITIVE_INFINITY,
  ): SendResult {
    const slot = this.#take(txAction.masterWrite, id, flags, length);
    this.#store.deadlineUs[slot] = deadlineUs;
    this.#store.fill(slot, data, offset, length);
    return this.#outbox.submit(this, slot);
  }

  /**
   * `done` is called exactly once for an accepted read. The read starts and ends before its
   * deadline.
   */
  masterRead(
    id: number,
    flags: number,
    length: number,
    done: LinReadDone,
    deadlineUs = Number.POSITIVE_INFINITY,
  ): SendResult {
    const slot = this.#take(txAction.masterRead, id, flags, length);
    this.#store.deadlineUs[slot] = deadlineUs;
    this.#store.fill(slot, nothing, 0, 0);
    this.#store.setRead(slot, done);
    return this.#outbox.submit(this, slot);
  }

  syncBreak(): SendResult {
    const slot = this.#take(txAction.syncBreak, 0, 0, 0);
    this.#store.fill(slot, nothing, 0, 0);
    return this.#outbox.submit(this, slot);
  }

  /** Sends a wake-up pulse. Slaves can do this too. */
  wakeUp(): SendResult {
    const slot = this.#take(txAction.wakeUp, 0, 0, 0);
    this.#store.fill(slot, nothing, 0, 0);
    return this.#outbox.submit(this, slot);
  }

  discard(): number {
    return this.#outbox.discard(this);
  }

  /** Stops callbacks. Accepted frames are still sent. */
  close(): void {
    this.#outbox.close(this);
  }

  #take(action: number, id: number, flags: number, dlc: number): number {
    this.#outbox.catchUp();
    return this.#store.take(action, id, flags, dlc);
  }

  get isWaiting(): boolean {
    return this.waiting > 0;
  }

  get first(): number {
    return this.#head;
  }

  append(slot: number): void {
    if (this.#tail === noSlot) this.#head = slot;
    else this.#store.link(this.#tail, slot);
    this.#tail = slot;
    this.waiting += 1;
  }

  putBack(slot: number): void {
    this.#store.link(slot, this.#head);
    this.#head = slot;
    if (this.#tail === noSlot) this.#tail = slot;
    this.waiting += 1;
  }

  takeFirst(): number {
    const slot = this.#head;
    this.#head = this.#store.nextOf(slot);
    if (this.#head === noSlot) this.#tail = noSlot;
    this.#store.link(slot, noSlot);
    this.waiting -= 1;
    return slot;
  }

  takeAll(): number {
    const slot = this.#head;
    this.#head = noSlot;
    this.#tail = noSlot;
    this.waiting = 0;
    return slot;
  }
}
