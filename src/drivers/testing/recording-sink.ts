import type { RingHandle } from '../../broker/ring-memory.ts';
import { frm2DataLength, frm2ErrorCount } from '../../frame/error-count.ts';
import { frm2TxNumber } from '../../frame/frm2-codec.ts';
import { readFrm2 } from '../../frame/frm2-event.ts';
import { type Bus, type EventKind, frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { type ChannelSink, maxRun } from '../channel-sink.ts';
import type { BusState } from '../channel-stats.ts';
import { type EventStatus, eventStatus } from '../event-status.ts';

export interface RecordedEvent {
  readonly kind: EventKind;
  readonly bus: Bus;
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
  readonly status: EventStatus;
  readonly timestampUs: number;
  readonly hardwareSequence: number;
  readonly filterHit: number;
  readonly checksum: number;
  /** Error details without the optional count. */
  readonly data: string;
  /** Number of error frames that the event represents. */
  readonly count: number;
  /** Index of the accepted frame whose outcome this is, from 1; 0 if none. */
  readonly txNumber: number;
}

const statusNames = Object.keys(eventStatus) as EventStatus[];

const named = <Name>(names: readonly Name[], code: number): Name => {
  const name = names[code];
  if (name === undefined) throw new RangeError(`No name for code ${code}`);
  return name;
};

/** A sink that records all calls for tests. */
export class RecordingSink implements ChannelSink {
  readonly channel: number = 0;
  readonly ring: RingHandle = { channel: 0, writer: 0, buffer: new SharedArrayBuffer(0) };
  readonly view = new DataView(new ArrayBuffer(maxRun * frm2SlotBytes));
  readonly all: RecordedEvent[] = [];
  readonly states: BusState[] = [];
  /** Disconnects and returns, in order. */
  readonly presence: string[] = [];
  failedFrames = 0;
  /** Index of the last dropped frame. */
  lastFailed = 0;
  /** How many times outcomes were lost. */
  timesDropped = 0;
  /** Called for every event, after it is recorded. */
  onEvent: ((event: RecordedEvent) => void) | undefined;

  #open = 0;

  reserve(records = 1): number {
    this.#open = records;
    return 0;
  }

  offsetOf(index: number): number {
    return index * frm2SlotBytes;
  }

  commit(): void {
    const records = this.#open;
    for (let i = 0; i < records; i++) this.published(this.view, this.offsetOf(i));
  }

  drain(): void {}

  published(view: DataView, at: number): void {
    const { data, status, kind, bus, id, flags, dlc, ...times } = readFrm2(view, at);
    const event = {
      kind,
      bus,
      id,
      flags,
      dlc,
      status: named(statusNames, status),
      timestampUs: times.timestampUs,
      hardwareSequence: times.hardwareSequence,
      filterHit: times.filterHit,
      checksum: times.checksum,
      data: formatHex(data.subarray(0, frm2DataLength(view, at))),
      count: status === eventStatus.ok ? 0 : frm2ErrorCount(view, at),
      txNumber: frm2TxNumber(view, at),
    };
    this.all.push(event);
    this.onEvent?.(event);
  }

  failed(frames: number, last: number, _timestampUs: number): void {
    this.failedFrames += frames;
    this.lastFailed = last;
  }

  outcomesDropped(): void {
    this.timesDropped += 1;
  }

  stateChanged(state: BusState): void {
    this.states.push(state);
  }

  lost(): void {
    this.presence.push('lost');
  }

  returned(): void {
    this.presence.push('returned');
  }

  get received(): RecordedEvent[] {
    return this.all.filter(({ kind, status }) => kind === 'rx_frame' && status === 'ok');
  }

  get completed(): RecordedEvent[] {
    return this.all.filter(({ kind }) => kind === 'tx_complete');
  }

  get errors(): RecordedEvent[] {
    return this.all.filter(({ status }) => status !== 'ok');
  }

  /** Number of error frames in all events together. */
  get errorFrames(): number {
    return this.all.reduce((sum, { count }) => sum + count, 0);
  }

  /** Forgets the recorded calls. */
  clear(): void {
    this.all.length = 0;
    this.states.length = 0;
    this.presence.length = 0;
    this.failedFrames = 0;
  }
}
