import { frameFlag } from '../../frame/frm2-layout.ts';
import { isDiagnosticId, lin1Length, linChecksum, maxLinLength } from '../../frame/lin.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import type { LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import { eventStatus } from '../event-status.ts';
import { LinRecord, noData } from '../lin/lin-record.ts';
import { LinResponseTable } from '../lin/lin-response-table.ts';
import { LinTxQueue } from '../lin/lin-tx-queue.ts';
import type { PortReporter } from '../port-reporter.ts';

/** The response on the bus, merged from all senders. */
export class LinWireFrame {
  id = 0;
  readonly data = new Uint8Array(maxLinLength);
  length = 0;
  checksum = 0;
  publishers = 0;
  collided = false;

  clear(id: number): void {
    this.id = id;
    this.length = 0;
    this.publishers = 0;
    this.collided = false;
  }

  /** Merges a node's bytes: dominant bits win. */
  merge(data: Uint8Array, offset: number, length: number, checksum: number): void {
    this.publishers += 1;
    if (this.publishers === 1) {
      for (let i = 0; i < length; i++) this.data[i] = data[offset + i] as number;
      this.length = length;
      this.checksum = checksum;
      return;
    }
    if (length !== this.length || checksum !== this.checksum) this.collided = true;
    for (let i = 0; i < Math.max(length, this.length); i++) {
      const already = i < this.length ? (this.data[i] as number) : 0xff;
      const added = i < length ? (data[offset + i] as number) : 0xff;
      if (already !== added) this.collided = true;
      this.data[i] = already & added;
    }
    this.length = Math.max(length, this.length);
    this.checksum &= checksum;
  }
}

export const linTxQueueLength = 256;

const syncTolerance = 0.14;

const report = new LinRecord();

export interface LinNodeFaults {
  wrongChecksums: number;
  droppedResponses: number;
  slowResponses: number;
  slowByUs: number;
}

export class LinNode {
  readonly reporter: PortReporter;
  readonly queue = new LinTxQueue(linTxQueueLength);
  readonly responses = new LinResponseTable();
  readonly faults: LinNodeFaults = {
    wrongChecksums: 0,
    droppedResponses: 0,
    slowResponses: 0,
    slowByUs: 0,
  };
  hears = false;
  follows = false;
  publishes = false;
  readyUs = Number.NEGATIVE_INFINITY;
  bitrate = 0;
  listenOnly = false;
  powered = true;
  isMaster = false;
  enhanced = true;
  #lengthById = false;
  #sentEnhanced = false;

  constructor(reporter: PortReporter) {
    this.reporter = reporter;
  }

  start(settings: ChannelSettings): void {
    this.apply(settings);
    this.hears = false;
    this.readyUs = Number.NEGATIVE_INFINITY;
  }

  apply(settings: ChannelSettings): void {
    this.bitrate = settings.bitrate;
    this.listenOnly = settings.mode === 'listen_only';
    this.powered = settings.power !== false;
    this.isMaster = settings.lin?.role === 'master';
    this.enhanced = settings.lin?.checksum === 'enhanced';
    this.#lengthById = settings.lin?.version === '1.3';
  }

  assumedLength(id: number): number {
    return this.#lengthById ? lin1Length(id) : maxLinLength;
  }

  canFollow(bitrate: number): boolean {
    return Math.abs(bitrate / this.bitrate - 1) <= syncTolerance;
  }

  earliestStartUs(freeUs: number): number {
    if (this.queue.size === 0) return Number.POSITIVE_INFINITY;
    return Math.max(freeUs, this.readyUs, this.queue.headQueuedUs);
  }

  answer(wire: LinWireFrame, writes: boolean): void {
    this.publishes = false;
    const { faults, queue, responses } = this;
    const { id } = wire;
    const length = writes ? queue.headLength : responses.lengthOf(id);
    if (length === 0) return;
    if (faults.droppedResponses > 0) {
      faults.droppedResponses -= 1;
      return;
    }
    const data = writes ? queue.data : responses.data;
    const offset = writes ? queue.headOffset : responses.offsetOf(id);
    this.#sentEnhanced = writes ? queue.headIsEnhanced : responses.isEnhanced(id);
    const checksum = linChecksum(this.#sentEnhanced, id, data, offset, length);
    wire.merge(data, offset, length, this.#spoil(checksum));
    this.publishes = true;
  }

  takeDelayUs(): number {
    if (this.faults.slowResponses === 0) return 0;
    this.faults.slowResponses -= 1;
    return this.faults.slowByUs;
  }

  complete(wire: LinWireFrame, extraFlags: number, wasQueued: boolean, atUs: number): void {
    const flags = extraFlags | (this.#sentEnhanced ? frameFlag.enhancedChecksum : 0);
    report.response(wire, wire.data, flags);
    if (wasQueued) this.reporter.completed(report, atUs);
    else this.reporter.completedOwn(report, atUs);
  }

  receive(
    wire: LinWireFrame,
    enhanced: boolean,
    valid: boolean,
    extraFlags: number,
    atUs: number,
  ): void {
    const model = enhanced ? frameFlag.enhancedChecksum : 0;
    const flags = model | (valid ? extraFlags : frameFlag.checksumError);
    const status = valid ? eventStatus.ok : eventStatus.checksum_error;
    this.#count(valid);
    this.reporter.received(report.response(wire, wire.data, flags), status, atUs);
  }

  notice(id: number, flags: number, dlc: number, status: number, atUs: number): void {
    this.#count(status === eventStatus.ok);
    this.reporter.received(report.signal(id, flags, dlc), status, atUs);
  }

  completeSignal(flags: number, atUs: number): void {
    this.reporter.completed(report.signal(0, flags, 0), atUs);
  }

  endRead(done: LinReadDone, outcome: LinReadOutcome, wire: LinWireFrame, atUs: number): void {
    const { checksum, data, length } = wire;
    this.reporter.readSettled();
    done(outcome, this.reporter.unixUs(atUs), checksum, data, 0, length);
  }

  fail(done: LinReadDone | undefined, outcome: LinReadOutcome, atUs: number): void {
    if (!done) {
      this.reporter.failed(1, 0, atUs);
      return;
    }
    this.reporter.readSettled();
    done(outcome, this.reporter.unixUs(atUs), 0, noData, 0, 0);
  }

  abandonQueue(atUs: number): void {
    // Entries queued by listeners are not included.
    for (let left = this.queue.size; left > 0; left--) {
      this.fail(this.queue.take(), 'aborted', atUs);
    }
  }

  expectsEnhanced(id: number): boolean {
    return this.enhanced && !isDiagnosticId(id);
  }

  #spoil(checksum: number): number {
    if (this.faults.wrongChecksums === 0) return checksum;
    this.faults.wrongChecksums -= 1;
    return checksum ^ 0xff;
  }

  #count(good: boolean): void {
    if (good) this.reporter.rxFrames += 1;
    else this.reporter.errorFrames += 1;
  }
}
