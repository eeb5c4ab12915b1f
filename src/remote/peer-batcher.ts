import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { Bell } from '../broker/doorbell.ts';
import { MergedReader } from '../broker/merged-reader.ts';
import type { RecordVisitor } from '../broker/ring-cursor.ts';
import type { RingHandle } from '../broker/ring-memory.ts';
import type { Staging } from '../broker/staging.ts';
import { copyWords } from '../frame/copy-words.ts';
import { maxClassicLength } from '../frame/dlc.ts';
import {
  frm2Dlc,
  frm2EventKind,
  frm2Flags,
  frm2Id,
  frm2PayloadLength,
  frm2TimestampUs,
} from '../frame/frm2-codec.ts';
import { eventKindCode, frameFlag, frm2 } from '../frame/frm2-layout.ts';
import {
  cannelloniVersion,
  datagramHeader,
  dataOpcode,
  fdFlag,
  fdLengthBit,
  frameHeadBytes,
  idBit,
  payloadLimit,
  sequenceModulus,
} from './cannelloni-layout.ts';
import type { Peer } from './peer.ts';
import type { DatagramSocket } from './ports.ts';

/** Payloads are copied in words, which can exceed the end. */
const wordSlack = 3;

export class DatagramWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limit: number;
  #length: number = datagramHeader.length;
  #frames = 0;

  /** `limit`: maximum bytes of a datagram, at least one frame. */
  constructor(limit: number = payloadLimit.ipv4) {
    this.#limit = limit;
    this.bytes = new Uint8Array(limit + wordSlack);
    this.#view = new DataView(this.bytes.buffer);
    this.#view.setUint8(datagramHeader.version, cannelloniVersion);
    this.#view.setUint8(datagramHeader.opcode, dataOpcode);
  }

  get frames(): number {
    return this.#frames;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Adds a CAN frame; false if it exceeds the limit. A classic DLC above 8 is sent as 8, since
   * the format has a length.
   */
  add(record: DataView, at: number): boolean {
    const flags = frm2Flags(record, at);
    const isFd = (flags & frameFlag.fd) !== 0;
    const isRemote = (flags & frameFlag.remote) !== 0;
    const dataLength = isRemote ? 0 : frm2PayloadLength(record, at);
    const dataAt = this.#length + frameHeadBytes + (isFd ? 1 : 0);
    if (dataAt + dataLength > this.#limit) return false;
    const view = this.#view;
    view.setUint32(this.#length, idWordOf(frm2Id(record, at), flags));
    const lengthAt = this.#length + 4;
    if (isFd) {
      view.setUint8(lengthAt, dataLength | fdLengthBit);
      view.setUint8(lengthAt + 1, fdFlagsOf(flags));
    } else {
      const length = isRemote ? Math.min(frm2Dlc(record, at), maxClassicLength) : dataLength;
      view.setUint8(lengthAt, length);
    }
    copyWords(view, dataAt, record, at + frm2.payload, dataLength);
    this.#length = dataAt + dataLength;
    this.#frames++;
    return true;
  }

  seal(sequence: number): void {
    this.#view.setUint8(datagramHeader.sequence, sequence);
    this.#view.setUint16(datagramHeader.count, this.#frames);
  }

  clear(): void {
    this.#length = datagramHeader.length;
    this.#frames = 0;
  }
}

const idWordOf = (id: number, flags: number): number =>
  id +
  ((flags & frameFlag.extended) !== 0 ? idBit.extended : 0) +
  ((flags & frameFlag.remote) !== 0 ? idBit.remote : 0);

const fdFlagsOf = (flags: number): number =>
  ((flags & frameFlag.brs) !== 0 ? fdFlag.brs : 0) |
  ((flags & frameFlag.esi) !== 0 ? fdFlag.esi : 0);

export interface PeerBatcherOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly memory: BrokerMemory;
  readonly bell: Bell;
  readonly rings: readonly RingHandle[];
  readonly socket: DatagramSocket;
  readonly peers: readonly Peer[];
  readonly payloadLimit: number;
  /** Time to collect frames for a datagram. */
  readonly bufferUs: number;
  readonly maxAgeUs: number;
}

const passRecords = 512;
const passSends = 32;
/** Delay before an incomplete record of another thread is read again. */
const retryUs = 100;

/**
 * Sends received frames to all peers. It has no queue: frames stay in the broker's memory while
 * they are collected or while the system accepts no datagrams. Frames overwritten there are
 * counted as missed.
 */
export class PeerBatcher implements RecordVisitor {
  readonly reader: MergedReader;
  readonly #clock: Clock;
  readonly #bell: Bell;
  readonly #socket: DatagramSocket;
  readonly #peers: readonly Peer[];
  readonly #bufferUs: number;
  readonly #maxAgeUs: number;
  readonly #datagram: DatagramWriter;
  readonly #task: Task;
  #isRunning = true;
  #sequence = 0;
  #frames = 0;
  #gaps = 0;
  #missed = 0;
  #expired = 0;
  #sendsLeft = 0;
  #unixUs = 0;

  constructor(options: PeerBatcherOptions) {
    const { memory, rings, payloadLimit, scheduler } = options;
    this.reader = new MergedReader({ memory, rings, stopsAtGaps: true });
    this.#clock = options.clock;
    this.#bell = options.bell;
    this.#socket = options.socket;
    this.#peers = options.peers;
    this.#bufferUs = options.bufferUs;
    this.#maxAgeUs = options.maxAgeUs;
    this.#datagram = new DatagramWriter(payloadLimit);
    this.#task = scheduler.createTask('remote to peers', (nowUs) => this.#turn(nowUs));
    this.#rest();
  }

  get frames(): number {
    return this.#frames;
  }

  get gaps(): number {
    return this.#gaps;
  }

  get missed(): number {
    return this.#missed;
  }

  get expired(): number {
    return this.#expired;
  }

  /** The system accepts datagrams again. */
  resume(): void {
    if (this.#isRunning) this.#task.scheduleAt(this.#clock.monotonicUs());
  }

  leave(slot: number): void {
    if (this.#socket.isReady && this.reader.lagOf(slot) > 0) this.#pass();
    this.reader.drop(slot);
    this.#skipLost();
  }

  close(): void {
    if (this.#socket.isReady && this.reader.hasBacklog) this.#pass();
    this.#skipLost();
    const unsent = this.reader.lag;
    if (unsent > 0) {
      this.#gaps++;
      this.#missed += unsent;
    }
    this.#isRunning = false;
    this.#task.cancel();
    this.#bell.disarm();
  }

  item({ view }: Staging, offset: number): boolean {
    // Our own frames are not forwarded, since two ends would loop them forever.
    if (frm2EventKind(view, offset) !== eventKindCode.rx_frame) return true;
    if ((frm2Flags(view, offset) & frameFlag.error) !== 0) return true;
    if (this.#unixUs - frm2TimestampUs(view, offset) > this.#maxAgeUs) {
      this.#expired++;
      return true;
    }
    if (this.#datagram.add(view, offset)) return true;
    this.#flush();
    this.#datagram.add(view, offset);
    return this.#sendsLeft > 0 && this.#socket.isReady;
  }

  /** Never called: the reader stops before a gap. */
  gap(): void {}

  #turn(nowUs: number): number | undefined {
    if (!this.#socket.isReady) return undefined;
    const delivered = this.#pass();
    if (this.reader.hasBacklog) return delivered > 0 ? nowUs : nowUs + retryUs;
    return this.#rest();
  }

  #pass(): number {
    this.#skipLost();
    this.#unixUs = this.#clock.unixUs();
    this.#sendsLeft = passSends;
    const delivered = this.reader.pass(this, passRecords);
    this.#flush();
    return delivered;
  }

  #flush(): void {
    const datagram = this.#datagram;
    const { frames, bytes, length } = datagram;
    if (frames === 0) return;
    // Every peer receives every datagram, so they share the number.
    datagram.seal(this.#sequence);
    this.#sequence = (this.#sequence + 1) % sequenceModulus;
    for (const peer of this.#peers) {
      this.#socket.send(bytes, length, peer.address);
      peer.sent(frames);
    }
    this.#sendsLeft -= this.#peers.length;
    this.#frames += frames;
    datagram.clear();
  }

  #skipLost(): void {
    if (!this.reader.hasLost) return;
    const { missed } = this.reader.skipLost();
    this.#gaps++;
    this.#missed += missed;
  }

  #rest(): undefined {
    this.#bell.arm(this.reader.writers);
    if (this.reader.hasBacklog) {
      this.#bell.disarm();
      this.#collect();
    } else {
      this.#bell.sleep(() => {
        this.#bell.disarm();
        this.#collect();
      });
    }
  }

  #collect(): void {
    if (this.#isRunning) this.#task.scheduleAt(this.#clock.monotonicUs() + this.#bufferUs);
  }
}
