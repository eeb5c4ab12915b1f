import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import { globalAddress } from '../../database/j1939.ts';
import {
  type Finding,
  type FindingCode,
  maxFindings,
  noPayload,
  type Pdu,
  type PduStatus,
} from '../pdu.ts';
import { packetBytes } from './transport-frames.ts';

export interface Announcement {
  readonly channel: number;
  readonly isExtended: boolean;
  readonly source: number;
  readonly destination: number;
  readonly priority: number;
  /** Null without an announcement. */
  readonly pgn: number | null;
  readonly size: number;
  readonly packets: number;
}

/** Result of a data frame; a finding is the reason why the transfer failed. */
export type PacketResult = 'stored' | 'repeat' | 'complete' | FindingCode;

/**
 *                  announcement ┌──────┐ last missing packet ┌──────────┐
 *            ──────────────────▶│ open │────────────────────▶│ complete │── acknowledged, time-out
 *                               └──┬───┘                     └──────────┘
 *                 gap, conflict,   │  time-out, replaced: reported
 *                 abort: reported  ▼
 *                             ┌────────┐
 *                             │ failed │  swallows the rest of the transfer
 *                             └────────┘
 *     data without session  ┌────────┐ time-out, announcement: reported
 *            ──────────────▶│ orphan │───────────────────────────────────
 *                           └────────┘
 */
type SessionState = 'open' | 'complete' | 'failed' | 'orphan';

type SettledPdu = { -readonly [Field in keyof Pdu]: Pdu[Field] };

export class TransportSession implements HeapEntry {
  heapIndex = -1;
  readonly announcement: Announcement;
  readonly findings: Finding[] = [];
  state: SessionState;
  pdu: SettledPdu | undefined;
  frames = 0;
  isMarked = false;
  /** Packets before the first one of the current block; below 0 until a data packet offset. */
  offset: number;
  /** Packets in the current block of an extended transfer. */
  blockPackets = 255;
  /** Last packet before the sender waits for a CTS; 0 if unknown. */
  blockEnd = 0;
  lastPacket = 0;
  #bytes: Uint8Array = noPayload;
  #seen: Uint8Array = noPayload;
  #received = 0;
  #firstEventId = 0;
  #firstUs = 0;
  #lastEventId = 0;
  #lastUs = 0;

  constructor(announcement: Announcement) {
    this.announcement = announcement;
    this.state = announcement.pgn === null ? 'orphan' : 'open';
    this.offset = announcement.isExtended ? -1 : 0;
  }

  get isBroadcast(): boolean {
    return this.announcement.destination === globalAddress;
  }

  get memory(): number {
    return this.#bytes.length;
  }

  allocate(): void {
    const { size, packets } = this.announcement;
    this.#bytes = new Uint8Array(size);
    this.#seen = new Uint8Array((packets + 7) >> 3);
  }

  free(): void {
    this.#bytes = noPayload;
    this.#seen = noPayload;
  }

  restart(): void {
    this.#seen.fill(0);
    this.#received = 0;
    this.frames = 0;
    this.blockEnd = 0;
    this.offset = this.announcement.isExtended ? -1 : 0;
  }

  get hasPackets(): boolean {
    return this.#received > 0;
  }

  count(timestampUs: number, eventId: number): void {
    if (this.frames === 0) {
      this.#firstUs = timestampUs;
      this.#firstEventId = eventId;
    }
    this.frames += 1;
    this.#lastUs = timestampUs;
    this.#lastEventId = eventId;
  }

  find(code: FindingCode, eventId: number): void {
    if (this.findings.length < maxFindings) this.findings.push({ code, eventId });
  }

  /** Stores the packet of a data frame, whose sequence number is at `at`. */
  store(frame: Uint8Array, at: number): PacketResult {
    const { packets } = this.announcement;
    const sequence = frame[at] as number;
    if (this.offset < 0) return 'data_without_offset';
    const index = this.offset + sequence - 1;
    if (sequence === 0 || sequence > this.blockPackets || index >= packets) return 'bad_sequence';
    this.lastPacket = index + 1;
    if (this.#isSeen(index)) {
      return this.#isEqual(index, frame, at + 1) ? 'repeat' : 'different_repeat';
    }
    // Packets of a broadcast are never sent again.
    if (this.isBroadcast && index !== this.#received) return 'sequence_gap';
    this.#write(index, frame, at + 1);
    this.#received += 1;
    return this.#received === packets ? 'complete' : 'stored';
  }

  /** The result of the transfer. Later findings of a complete one appear in it, too. */
  settle(status: PduStatus): Pdu {
    const { channel, pgn, source, destination, priority, size } = this.announcement;
    this.pdu = {
      protocol: 'j1939',
      channel,
      firstEventId: this.#firstEventId,
      lastEventId: this.#lastEventId,
      timestampUs: this.#lastUs,
      durationUs: Math.max(0, this.#lastUs - this.#firstUs),
      frames: this.frames,
      length: size,
      payload: status === 'complete' ? this.#bytes : noPayload,
      status,
      findings: this.findings,
      pgn,
      source,
      destination,
      priority: pgn === null ? null : priority,
      acknowledged: pgn === null || this.isBroadcast ? null : false,
      id: null,
      extended: null,
      address: null,
      ...(this.isMarked && { isMarked: true }),
    };
    return this.pdu;
  }

  #isSeen(index: number): boolean {
    return (((this.#seen[index >> 3] as number) >> (index & 7)) & 1) === 1;
  }

  #isEqual(index: number, frame: Uint8Array, at: number): boolean {
    const from = index * packetBytes;
    const length = Math.min(packetBytes, this.#bytes.length - from);
    for (let i = 0; i < length; i++) {
      if (this.#bytes[from + i] !== frame[at + i]) return false;
    }
    return true;
  }

  #write(index: number, frame: Uint8Array, at: number): void {
    const from = index * packetBytes;
    const length = Math.min(packetBytes, this.#bytes.length - from);
    for (let i = 0; i < length; i++) this.#bytes[from + i] = frame[at + i] as number;
    this.#seen[index >> 3] = (this.#seen[index >> 3] as number) | (1 << (index & 7));
  }
}
