import { setImmediate as nextTurn } from 'node:timers/promises';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Interruption, OutcomeListener } from '../../bench/bench-sink.ts';
import { Outbox } from '../../bench/outbox/outbox.ts';
import type { OpenSettings, SettingChange } from '../../drivers/channel-settings.ts';
import type { DriverChannel } from '../../drivers/driver-channel.ts';
import { RecordingSink } from '../../drivers/testing/recording-sink.ts';
import { VirtualRig } from '../../drivers/virtual/testing/virtual-rig.ts';
import { frm2TimestampUs, frm2TxNumber } from '../../frame/frm2-codec.ts';
import type { FoundSendChannel, SendChannel } from '../send-channel.ts';
import type { SendRecord } from '../send-record.ts';
import type { DescribedFrames, PaceRequest } from '../send-request.ts';
import { Sender, type SendOptions } from '../sender.ts';

/** One frame, which may wait one second for space. */
export const oncePace: PaceRequest = { count: 1, cycle_us: 0, timeout_ms: 1000 };

/** Records events, and reports outcomes of accepted frames to an outbox. */
class OutcomeSink extends RecordingSink {
  outcomes: OutcomeListener | undefined;
  onLost: () => void = () => undefined;

  override commit(): void {
    const number = frm2TxNumber(this.view, 0);
    const timestampUs = frm2TimestampUs(this.view, 0);
    super.commit();
    if (number > 0) this.outcomes?.sent(number, timestampUs, number);
  }

  override failed(frames: number, last: number, timestampUs: number): void {
    super.failed(frames, last, timestampUs);
    this.outcomes?.failed(frames, last, timestampUs);
  }

  override lost(): void {
    super.lost();
    this.onLost();
  }
}

/** The part of an open channel that sending needs, on the virtual driver. */
export class RigChannel implements SendChannel {
  readonly slot = 3;
  readonly selector: string;
  readonly hardware: DriverChannel;
  readonly outbox: Outbox;
  readonly events: RecordingSink;
  readonly #interruptions = new Set<(why: Interruption) => void>();

  constructor(hardware: DriverChannel, events: OutcomeSink, outbox: Outbox) {
    this.hardware = hardware;
    this.selector = `${hardware.sn}/${hardware.port}`;
    this.outbox = outbox;
    this.events = events;
    events.outcomes = outbox;
    events.onLost = () => this.#interrupt('lost');
  }

  /** Number of listeners, to check that none is left. */
  get listeners(): number {
    return this.#interruptions.size;
  }

  onInterrupted(listener: (why: Interruption) => void): () => void {
    this.#interruptions.add(listener);
    return () => void this.#interruptions.delete(listener);
  }

  async close(): Promise<void> {
    this.#interrupt('closed');
    await this.hardware.close();
  }

  async configure(change: SettingChange): Promise<void> {
    await this.hardware.configure(change);
    this.#interrupt('configured');
  }

  /** Accepted frames without an outcome. */
  get pending(): number {
    return this.hardware.pending + this.outbox.waiting;
  }

  /** Sent frames in bus order. */
  get sentIds(): number[] {
    return this.events.completed.map(({ id }) => id);
  }

  #interrupt(why: Interruption): void {
    if (why === 'closed') this.outbox.end();
    else this.outbox.interrupt(why === 'lost' ? 'lost' : 'failed');
    for (const listener of [...this.#interruptions]) listener(why);
  }
}

/** Result of a promise, once it is settled. */
export interface Watched {
  answer: SendRecord | undefined;
  error: BusbarError | undefined;
}

/** A sender on the virtual bench, with a clock controlled by the test. */
export class SendRig extends VirtualRig {
  readonly sender = new Sender({ clock: this.clock, scheduler: this.scheduler });

  async open(port: number, settings: OpenSettings = {}): Promise<RigChannel> {
    const { clock, scheduler } = this;
    const events = new OutcomeSink();
    const hardware = await this.driver.open('SIM00001', port, settings, events);
    const onDefect = (thrown: unknown) => {
      throw thrown;
    };
    return new RigChannel(hardware, events, new Outbox({ hardware, clock, scheduler, onDefect }));
  }

  found(channel: RigChannel): FoundSendChannel {
    return { channel, text: channel.selector, kind: 'serial', resolved: null };
  }

  /** Sends, and makes the result available without waiting. */
  start(
    channel: RigChannel,
    request: Omit<DescribedFrames, 'channel'> & Partial<PaceRequest>,
    options?: SendOptions,
  ): Watched {
    const watched: Watched = { answer: undefined, error: undefined };
    const found = this.found(channel);
    this.sender.send(found, { channel: found.text, ...oncePace, ...request }, options).then(
      (answer) => {
        watched.answer = answer;
      },
      (thrown) => {
        watched.error = BusbarError.from(thrown);
      },
    );
    return watched;
  }

  /** Advances the time, and then runs the promise callbacks. */
  async pass(deltaUs = 0): Promise<void> {
    this.advanceUs(deltaUs);
    await settle();
  }
}

/** Runs all promise callbacks that are due. */
export const settle = (): Promise<void> => nextTurn();
