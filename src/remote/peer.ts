import { formatHostPort, type HostPort } from '../base/net/host-port.ts';
import { sequenceModulus } from './cannelloni-layout.ts';
import {
  type DatagramError,
  type FrameVisitor,
  headerError,
  sequenceOf,
  visitFrames,
} from './datagram-reader.ts';
import type { FrameLog } from './frame-log.ts';
import type { RemotePeerRecord } from './remote-record.ts';

/** A larger distance means an older number. */
const maxAhead = sequenceModulus / 2 - 1;

/**
 * Tracks the sequence numbers of one peer. A skipped number counts as lost until it arrives
 * late. A repeated number is a duplicate, unless its successor follows. Two in a row are a
 * jump, caused by a restart or by the loss of at least half the number range, so the number of
 * lost datagrams is unknown. The loss of a multiple of the range is not detected.
 */
export class SequenceCheck {
  lost = 0;
  reordered = 0;
  duplicates = 0;
  jumps = 0;
  #expected = -1;
  #afterDuplicate = -1;
  /** Marks missing numbers before the expected one. */
  readonly #missing = new Uint8Array(sequenceModulus);

  accept(sequence: number): void {
    if (this.#expected < 0) this.#expected = sequence;
    const ahead = wrapped(sequence - this.#expected);
    if (ahead <= maxAhead) this.#advance(sequence, ahead);
    else if (this.#missing[sequence] === 1) this.#takeLate(sequence);
    else this.#takeDuplicate(sequence);
  }

  #advance(sequence: number, ahead: number): void {
    for (let skipped = 0; skipped < ahead; skipped++) {
      this.#missing[wrapped(this.#expected + skipped)] = 1;
    }
    this.lost += ahead;
    this.#missing[sequence] = 0;
    this.#expected = wrapped(sequence + 1);
    this.#afterDuplicate = -1;
  }

  #takeLate(sequence: number): void {
    this.#missing[sequence] = 0;
    this.lost--;
    this.reordered++;
  }

  #takeDuplicate(sequence: number): void {
    if (sequence === this.#afterDuplicate) {
      // The previous one was the first after the jump.
      this.duplicates--;
      this.jumps++;
      this.#missing.fill(0);
      this.#advance(sequence, 0);
      return;
    }
    this.duplicates++;
    this.#afterDuplicate = wrapped(sequence + 1);
  }
}

const wrapped = (sequence: number): number => sequence & (sequenceModulus - 1);

export class Peer implements FrameVisitor {
  readonly address: HostPort;
  readonly #log: FrameLog;
  readonly #sequence = new SequenceCheck();
  readonly #malformed: Record<DatagramError, number> = {
    version: 0,
    opcode: 0,
    truncated: 0,
    count: 0,
  };
  #datagramsSent = 0;
  #framesSent = 0;
  #datagramsReceived = 0;
  #framesReceived = 0;
  #invalidFrames = 0;
  #errorFrames = 0;
  #lastReceivedUs: number | null = null;
  #nowUs = 0;
  #isStale = false;
  #staleFrames = 0;

  constructor(address: HostPort, log: FrameLog) {
    this.address = address;
    this.#log = log;
  }

  get framesReceived(): number {
    return this.#framesReceived;
  }

  sent(frames: number): void {
    this.#datagramsSent++;
    this.#framesSent += frames;
  }

  /** Adds the frames of a datagram to the log unless stale. Returns the number of stale frames. */
  receive(bytes: Uint8Array, nowUs: number, unixUs: number, isStale: boolean): number {
    this.#datagramsReceived++;
    this.#lastReceivedUs = unixUs;
    this.#nowUs = nowUs;
    this.#isStale = isStale;
    this.#staleFrames = 0;
    const error = headerError(bytes) ?? this.#take(bytes);
    if (error) this.#malformed[error]++;
    return this.#staleFrames;
  }

  frame(
    id: number,
    flags: number,
    dlc: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
  ): void {
    this.#framesReceived++;
    if (this.#isStale) this.#staleFrames++;
    else this.#log.push(id, flags, dlc, bytes, offset, length, this.#nowUs);
  }

  invalidFrame(): void {
    this.#invalidFrames++;
  }

  errorFrame(): void {
    this.#errorFrames++;
  }

  record(): RemotePeerRecord {
    const { lost, reordered, duplicates, jumps } = this.#sequence;
    return {
      peer: formatHostPort(this.address),
      datagrams_sent: this.#datagramsSent,
      frames_sent: this.#framesSent,
      datagrams_received: this.#datagramsReceived,
      frames_received: this.#framesReceived,
      lost_datagrams: lost,
      reordered,
      duplicates,
      jumps,
      malformed: { ...this.#malformed },
      invalid_frames: this.#invalidFrames,
      error_frames: this.#errorFrames,
      last_received_at_us: this.#lastReceivedUs,
    };
  }

  #take(bytes: Uint8Array): DatagramError | null {
    this.#sequence.accept(sequenceOf(bytes));
    return visitFrames(bytes, this);
  }
}
