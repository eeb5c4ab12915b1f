import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import {
  type Finding,
  type FindingCode,
  maxFindings,
  noPayload,
  type Pdu,
  type PduProtocol,
  type PduStatus,
} from '../pdu.ts';
import type { HeardFrame } from './heard-frame.ts';
import type { KnownAddress } from './known-addresses.ts';
import { flowStatus, type Pci } from './pci.ts';
import { isReservedStMin, stMinUs } from './st-min.ts';

/** Times of a listener, in event time. */
export const listenerUs = {
  /** N_Cr: to the next consecutive frame. */
  data: 1_000_000,
  /** N_Bs: to the flow control. It is awaited for longer, and then late. */
  flow: 1_000_000,
  lateFlow: 3_000_000,
} as const;

const firstBuffer = 4096;

/** What a frame means to the message; a finding is the reason why it failed. */
export type FrameResult = 'stored' | 'complete' | FindingCode;

/**
 * A message of several frames. Flow control is not awaited, since the other direction can be
 * missing; but where it was seen, it counts.
 *
 *                       wait ┌───┐     ┌───┐ consecutive frame
 *               first frame  │   ▼     ▼   │      last byte
 *              ───────────▶ ┌──────┐  ┌──────┐ ─────────────▶ complete
 *                           │ flow │─▶│ data │
 *                           └──────┘◀─└──────┘
 *               continue, or a frame   end of a block
 *
 *     wrong sequence number, wrong length, flow control in data ─▶ lost
 */
export class HeardMessage implements HeapEntry {
  heapIndex = -1;
  readonly key: number;
  readonly channel: number;
  readonly findings: Finding[] = [];
  readonly #protocol: PduProtocol;
  readonly #id: number;
  readonly #extended: boolean;
  readonly #address: number;
  readonly #length: number;
  /** Data length of the first frame, which those after it have, too. */
  readonly #frameLength: number;
  readonly #firstEventId: number;
  readonly #firstUs: number;
  state: 'flow' | 'data' = 'flow';
  hasFlow = false;
  #flowSinceUs: number;
  #blockSize = 0;
  #inBlock = 0;
  #firstStMinUs = -1;
  #stMinUs = 0;
  /** Of the consecutive frame before, in the same block. */
  #dataUs = Number.NEGATIVE_INFINITY;
  #isMarked: boolean;
  #sequence = 1;
  #frames = 1;
  #lastEventId: number;
  #lastUs: number;
  #bytes = noPayload;
  #received = 0;

  constructor(address: KnownAddress, protocol: PduProtocol, frame: HeardFrame, pci: Pci) {
    const { eventId, timestampUs } = frame;
    this.key = address.key;
    this.channel = frame.channel;
    this.#protocol = protocol;
    this.#id = frame.id;
    this.#extended = frame.extended;
    this.#address = address.address;
    this.#length = pci.length;
    this.#frameLength = frame.length;
    this.#firstEventId = eventId;
    this.#lastEventId = eventId;
    this.#isMarked = frame.isMarked;
    this.#firstUs = timestampUs;
    this.#lastUs = timestampUs;
    this.#flowSinceUs = timestampUs;
    // LIN has no flow control.
    if (protocol === 'lin') this.state = 'data';
  }

  get memory(): number {
    return this.#bytes.length;
  }

  get deadlineUs(): number {
    if (this.state === 'flow') return this.#flowSinceUs + listenerUs.lateFlow;
    // Without flow control, pauses for it look like those between frames.
    const isPausing = !this.hasFlow && this.#protocol !== 'lin';
    return this.#lastUs + listenerUs.data + (isPausing ? listenerUs.flow : 0);
  }

  /** Whether the nodes have given up, although late flow control is still awaited. */
  isOverdue(nowUs: number): boolean {
    return this.state === 'flow' && nowUs - this.#flowSinceUs > listenerUs.flow;
  }

  find(code: FindingCode, eventId: number): void {
    if (this.findings.length < maxFindings) this.findings.push({ code, eventId });
  }

  count({ timestampUs, eventId, isMarked }: HeardFrame): void {
    if (isMarked) this.#isMarked = true;
    this.#frames += 1;
    this.#lastUs = timestampUs;
    this.#lastEventId = eventId;
  }

  /** Bytes of memory that another frame needs. */
  get growth(): number {
    const { length } = this.#bytes;
    const isFull = this.#received + this.#frameLength > length && length < this.#length;
    if (!isFull) return 0;
    // Grows with the data: a first frame can announce anything.
    return Math.min(this.#length, Math.max(firstBuffer, 2 * length)) - length;
  }

  grow(): void {
    const bytes = new Uint8Array(this.#bytes.length + this.growth);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.#bytes = noPayload;
  }

  /** Stores the data of the first frame. */
  begin({ bytes, at, length }: HeardFrame, { dataAt }: Pci): FrameResult {
    return this.#write(bytes, dataAt, at + length - dataAt);
  }

  consecutive(frame: HeardFrame, { sequence, dataAt }: Pci): FrameResult {
    const { bytes, at, length, eventId, timestampUs } = frame;
    const room = at + length - dataAt;
    if (sequence !== this.#sequence) return this.#wrongSequence(bytes, dataAt, room, sequence);
    // All frames are as long as the first one; only the last may be shorter.
    const full = this.#frameLength - (dataAt - at);
    const needed = Math.min(full, this.#length - this.#received);
    if (room > full || room < needed) return 'bad_length';
    if (this.state === 'flow') {
      if (this.hasFlow) this.find('flow_missing', eventId);
      this.hasFlow = false;
      this.#enterBlock(0, 0);
    } else if (this.hasFlow && timestampUs - this.#dataUs < this.#stMinUs) {
      this.find('st_min_violated', eventId);
    }
    this.#dataUs = timestampUs;
    this.#sequence = (sequence + 1) & 0x0f;
    this.#inBlock += 1;
    const result = this.#write(bytes, dataAt, room);
    const isEnd = this.#blockSize > 0 && this.#inBlock >= this.#blockSize;
    if (result !== 'complete' && isEnd) this.#awaitFlow(timestampUs);
    return result;
  }

  /** Returns a finding if the message ends with it, else null. */
  flow({ timestampUs, eventId }: HeardFrame, pci: Pci): FindingCode | null {
    const { status, blockSize, stMin } = pci;
    if (this.hasFlow && this.state === 'data') return 'flow_unexpected';
    const isLate = this.state === 'flow' && timestampUs - this.#flowSinceUs > listenerUs.flow;
    if (isLate) this.find('flow_late', eventId);
    if (status === flowStatus.overflow) return 'flow_overflow';
    if (status > flowStatus.overflow) return 'flow_invalid';
    this.hasFlow = true;
    if (status === flowStatus.wait) {
      this.#awaitFlow(timestampUs);
      return null;
    }
    if (isReservedStMin(stMin)) this.find('st_min_reserved', eventId);
    const us = stMinUs(stMin);
    // Some senders keep the values of the first flow control, some take each.
    if (this.#firstStMinUs < 0) this.#firstStMinUs = us;
    this.#enterBlock(blockSize, Math.min(us, this.#firstStMinUs));
    return null;
  }

  settle(status: PduStatus): Pdu {
    return {
      protocol: this.#protocol,
      channel: this.channel,
      firstEventId: this.#firstEventId,
      lastEventId: this.#lastEventId,
      timestampUs: this.#lastUs,
      durationUs: Math.max(0, this.#lastUs - this.#firstUs),
      frames: this.#frames,
      length: this.#length,
      payload: status === 'complete' ? this.#bytes : noPayload,
      status,
      findings: this.findings,
      pgn: null,
      source: null,
      destination: null,
      priority: null,
      acknowledged: null,
      id: this.#id,
      extended: this.#extended,
      address: this.#address < 0 ? null : this.#address,
      ...(this.#isMarked && { isMarked: true }),
    };
  }

  #awaitFlow(sinceUs: number): void {
    this.state = 'flow';
    this.#flowSinceUs = sinceUs;
  }

  #enterBlock(blockSize: number, us: number): void {
    this.state = 'data';
    this.#blockSize = blockSize;
    this.#stMinUs = us;
    this.#inBlock = 0;
    this.#dataUs = Number.NEGATIVE_INFINITY;
  }

  #write(bytes: Uint8Array, from: number, room: number): FrameResult {
    const count = Math.min(room, this.#length - this.#received);
    for (let i = 0; i < count; i++) this.#bytes[this.#received + i] = bytes[from + i] as number;
    this.#received += count;
    return this.#received === this.#length ? 'complete' : 'stored';
  }

  /** The same frame again, or others are missing. */
  #wrongSequence(bytes: Uint8Array, from: number, room: number, sequence: number): FindingCode {
    if (((sequence + 1) & 0x0f) !== this.#sequence || this.#frames < 2) return 'sequence_gap';
    const start = this.#received - room;
    if (start < 0) return 'sequence_gap';
    for (let i = 0; i < room; i++) {
      if (this.#bytes[start + i] !== bytes[from + i]) return 'sequence_gap';
    }
    return 'repeat';
  }
}
