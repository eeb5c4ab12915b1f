import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { SendRefusal, SendResult } from '../../drivers/send-result.ts';
import { frm2Dlc, frm2Flags, frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frm2 } from '../../frame/frm2-layout.ts';
import { type FrameStore, noSlot, txAction } from './frame-store.ts';

/** What became of an accepted frame. */
export type TxOutcome =
  | 'sent'
  /** The port gave it up: it was reconfigured, lost its device, or went off the bus. */
  | 'failed'
  /** It could not begin before its deadline. */
  | 'expired'
  /** Its record was overwritten before the bench thread had seen it. */
  | 'unknown'
  | SendRefusal;

const outcomes: readonly string[] = ['sent', 'failed', 'expired', 'unknown'];

/** Whether the port refused the frame when its turn came. */
export const isRefusal = (outcome: TxOutcome): outcome is SendRefusal =>
  !outcomes.includes(outcome);

/** What sends on a lane. */
export interface LaneOwner {
  /**
   * An accepted frame has its outcome, at that monotonic time; in the order of acceptance. `eventId` is that of its
   * completion, 0 if it has none.
   */
  settled?(outcome: TxOutcome, atUs: number, eventId: number): void;
  /** There is room for the frame that was refused as `full`: now, for others want it too. */
  room?(): void;
}

export interface LaneOptions {
  /** Its frames go ahead of all that waits: they are due now. */
  readonly isUrgent?: boolean;
  /** Frames that it may have without an outcome; as many as the channel has room for if left out. */
  readonly most?: number;
  /** Frames that find room however full the channel is; if left out, a few if urgent, else none. */
  readonly reserved?: number;
}

/** What lanes need of their outbox. */
export interface LaneOutbox {
  readonly store: FrameStore;
  /**
   * Has the port report what is through by now: that is not ahead of the next frame, and makes room.
   */
  catchUp(): void;
  /** Takes over a slot of the store, filled. */
  submit(lane: Lane, slot: number): SendResult;
  discard(lane: Lane): number;
  close(lane: Lane): void;
}

/** Frames of an urgent lane that find room although others have filled the channel. */
const urgentRoom = 4;

const nothing = new Uint8Array(0);

/**
 * One owner's way onto a channel. A call answers at once: `accepted`, `full` where the owner is told
 * of room later, or why the port would not take the frame at all. Bytes are copied.
 */
export class Lane {
  readonly owner: LaneOwner;
  readonly isUrgent: boolean;
  readonly most: number;
  readonly reserved: number;
  /** Accepted frames without an outcome, waiting or with the port. */
  pending = 0;
  /** Frames that the port does not have yet. */
  waiting = 0;
  /** It stands among the lanes that take turns. */
  isReady = false;
  /** It is to be told of room. */
  wantsRoom = false;
  isClosed = false;
  readonly #outbox: LaneOutbox;
  readonly #store: FrameStore;
  #head = noSlot;
  #tail = noSlot;

  constructor(outbox: LaneOutbox, owner: LaneOwner, options: LaneOptions) {
    this.#outbox = outbox;
    this.#store = outbox.store;
    this.owner = owner;
    this.isUrgent = options.isUrgent ?? false;
    this.most = options.most ?? Number.POSITIVE_INFINITY;
    this.reserved = options.reserved ?? (this.isUrgent ? urgentRoom : 0);
  }

  /** A CAN frame: FRM2 flags, and exactly the bytes that the DLC stands for. */
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

  /** The CAN frame of a record, with that identifier. */
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
  ): SendResult {
    const slot = this.#take(txAction.masterWrite, id, flags, length);
    this.#store.fill(slot, data, offset, length);
    return this.#outbox.submit(this, slot);
  }

  /** `done` is called exactly once for a read that was accepted. */
  masterRead(id: number, flags: number, length: number, done: LinReadDone): SendResult {
    const slot = this.#take(txAction.masterRead, id, flags, length);
    this.#store.fill(slot, nothing, 0, 0);
    this.#store.setRead(slot, done);
    return this.#outbox.submit(this, slot);
  }

  syncBreak(): SendResult {
    const slot = this.#take(txAction.syncBreak, 0, 0, 0);
    this.#store.fill(slot, nothing, 0, 0);
    return this.#outbox.submit(this, slot);
  }

  /** A wake-up pulse, which slaves may send as well. */
  wakeUp(): SendResult {
    const slot = this.#take(txAction.wakeUp, 0, 0, 0);
    this.#store.fill(slot, nothing, 0, 0);
    return this.#outbox.submit(this, slot);
  }

  /** Takes back what the port does not have yet, and says how many frames that were. */
  discard(): number {
    return this.#outbox.discard(this);
  }

  /** The owner wants to hear nothing more. What was accepted goes its way. */
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

  /** For the outbox: adds a frame behind those that wait. */
  append(slot: number): void {
    if (this.#tail === noSlot) this.#head = slot;
    else this.#store.link(this.#tail, slot);
    this.#tail = slot;
    this.waiting += 1;
  }

  /** For the outbox: puts the frame back that was taken out last. */
  putBack(slot: number): void {
    this.#store.link(slot, this.#head);
    this.#head = slot;
    if (this.#tail === noSlot) this.#tail = slot;
    this.waiting += 1;
  }

  /** For the outbox: takes out the first of the frames that wait. */
  takeFirst(): number {
    const slot = this.#head;
    this.#head = this.#store.nextOf(slot);
    if (this.#head === noSlot) this.#tail = noSlot;
    this.#store.link(slot, noSlot);
    this.waiting -= 1;
    return slot;
  }

  /** For the outbox: takes out all frames that wait, each linked to the next, and says the first. */
  takeAll(): number {
    const slot = this.#head;
    this.#head = noSlot;
    this.#tail = noSlot;
    this.waiting = 0;
    return slot;
  }
}
