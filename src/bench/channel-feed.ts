import type { Clock } from '../base/clock/clock.ts';
import type { RingWriter } from '../broker/ring-writer.ts';
import type { BusState } from '../drivers/channel-stats.ts';
import type { ChannelEvents } from '../drivers/driver-channel.ts';
import { eventStatus } from '../drivers/event-status.ts';
import { errorCountBytes } from '../frame/error-count.ts';
import { type Bus, busCode, eventKindCode, frameFlag } from '../frame/frm2-layout.ts';
import { EventPublisher } from './event-publisher.ts';
import { FrameListeners } from './frame-listeners.ts';
import { Listeners } from './listeners.ts';

/** Of what is no error frame, though it has the flag. */
const countOfNone = new Uint8Array(errorCountBytes);

/** Why what a channel was doing for somebody has come to an end. */
export type Interruption = 'closed' | 'configured' | 'lost';

/**
 * What a driver reports about a channel: published in its ring, and told to those who wait for it.
 * It is there before the channel, which may report while it is being opened.
 */
export class ChannelFeed implements ChannelEvents {
  readonly interruptions: Listeners<Interruption>;
  /** Told whether the frame was sent. */
  readonly outcomes: Listeners<boolean>;
  /** Good frames that were received. */
  readonly frames: FrameListeners;
  /** Good frames that were sent, LIN responses included. */
  readonly sentFrames: FrameListeners;
  readonly #publisher: EventPublisher;
  isBusOff = false;
  isLost = false;
  timesLost = 0;

  /** What the port was opened as, once that is settled. */
  bus: Bus = 'can';
  readonly #clock: Clock;

  constructor(writer: RingWriter, clock: Clock, onDefect: (thrown: unknown) => void) {
    this.#publisher = new EventPublisher(writer);
    this.#clock = clock;
    this.interruptions = new Listeners(onDefect);
    this.outcomes = new Listeners(onDefect);
    this.frames = new FrameListeners(onDefect);
    this.sentFrames = new FrameListeners(onDefect);
  }

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
    this.#publisher.event(
      kind,
      bus,
      id,
      flags,
      dlc,
      status,
      timestampUs,
      hardwareSequence,
      filterHit,
      checksum,
      payload,
      offset,
      length,
    );
    const isSent = kind === eventKindCode.tx_complete;
    if (status === eventStatus.ok) {
      const listeners = isSent ? this.sentFrames : this.frames;
      listeners.tell(id, flags, dlc, payload, offset, length);
    }
    if (isSent) this.outcomes.tell(true);
  }

  failed(): void {
    this.outcomes.tell(false);
  }

  stateChanged(state: BusState): void {
    this.isBusOff = state === 'bus_off';
  }

  lost(): void {
    this.isLost = true;
    this.timesLost += 1;
    this.#mark(eventStatus.device_lost);
    this.interruptions.tell('lost');
  }

  /** The port starts anew, and so does its controller. */
  returned(): void {
    this.isLost = false;
    this.isBusOff = false;
    this.#mark(eventStatus.device_returned);
  }

  /** Shows in history and streams where nothing could be seen. */
  #mark(status: number): void {
    const bus = this.bus === 'lin' ? busCode.lin : busCode.can;
    const kind = eventKindCode.rx_frame;
    const timestampUs = Math.floor(this.#clock.unixUs());
    const { error } = frameFlag;
    this.#publisher.event(
      kind,
      bus,
      0,
      error,
      0,
      status,
      timestampUs,
      0,
      0,
      0,
      countOfNone,
      0,
      errorCountBytes,
    );
  }
}
