import { errorCountIn, hasErrorCount } from '../../frame/error-count.ts';
import { busNames, eventKindNames } from '../../frame/frm2-event.ts';
import type { Bus, EventKind } from '../../frame/frm2-layout.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { BusState } from '../channel-stats.ts';
import type { ChannelEvents } from '../driver-channel.ts';
import { type EventStatus, eventStatus } from '../event-status.ts';

/** One event, kept. */
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
  /** Without the count that may be behind the details of an error. */
  readonly data: string;
  /** Error frames that it stands for. */
  readonly count: number;
}

const statusNames = Object.keys(eventStatus) as EventStatus[];

const named = <Name>(names: readonly Name[], code: number): Name => {
  const name = names[code];
  if (name === undefined) throw new RangeError(`No name for code ${code}`);
  return name;
};

/** A sink that keeps everything it is told, for tests to look at. */
export class RecordingEvents implements ChannelEvents {
  readonly all: RecordedEvent[] = [];
  readonly states: BusState[] = [];
  /** Losses and returns, in order. */
  readonly presence: string[] = [];
  failedFrames = 0;
  /** Called on every event, after it is kept. */
  onEvent: ((event: RecordedEvent) => void) | undefined;

  event(
    kind: number,
    bus: number,
    id: number,
    flags: number,
    dlc: number,
    status: number,
    timestampUs: number,
    hardwareSequence: number,
    filterHit: number,
    checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void {
    const dataLength = hasErrorCount(flags, dlc, length) ? dlc : length;
    const counted = dataLength < length ? errorCountIn(payload, offset + dataLength) : 1;
    const event = {
      kind: named(eventKindNames, kind),
      bus: named(busNames, bus),
      id,
      flags,
      dlc,
      status: named(statusNames, status),
      timestampUs,
      hardwareSequence,
      filterHit,
      checksum,
      data: formatHex(payload.subarray(offset, offset + dataLength)),
      count: status === eventStatus.ok ? 0 : counted,
    };
    this.all.push(event);
    this.onEvent?.(event);
  }

  failed(frames: number): void {
    this.failedFrames += frames;
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

  /** Error frames that all events together stand for. */
  get errorFrames(): number {
    return this.all.reduce((sum, { count }) => sum + count, 0);
  }

  /** Forgets what it was told so far. */
  clear(): void {
    this.all.length = 0;
    this.states.length = 0;
    this.presence.length = 0;
    this.failedFrames = 0;
  }
}
