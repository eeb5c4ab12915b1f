import { setImmediate as nextTurn } from 'node:timers/promises';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Interruption } from '../../bench/channel-feed.ts';
import type { OpenSettings, SettingChange } from '../../drivers/channel-settings.ts';
import type { DriverChannel } from '../../drivers/driver-channel.ts';
import { RecordingEvents } from '../../drivers/testing/recording-events.ts';
import { VirtualRig } from '../../drivers/virtual/testing/virtual-rig.ts';
import { eventKindCode } from '../../frame/frm2-layout.ts';
import type { FoundSendChannel, SendChannel } from '../send-channel.ts';
import type { SendRequest } from '../send-request.ts';
import { type SendAnswer, Sender, type SendOptions } from '../sender.ts';

/** Keeps events, and tells when an accepted frame has its outcome. */
class OutcomeEvents extends RecordingEvents {
  onOutcome: () => void = () => undefined;
  onLost: () => void = () => undefined;

  override event(...args: Parameters<RecordingEvents['event']>): void {
    super.event(...args);
    if (args[0] === eventKindCode.tx_complete) this.onOutcome();
  }

  override failed(frames: number): void {
    super.failed(frames);
    this.onOutcome();
  }

  override lost(): void {
    super.lost();
    this.onLost();
  }
}

/** As much of an open channel as sending needs, over the virtual driver. */
export class RigChannel implements SendChannel {
  readonly slot = 3;
  readonly selector: string;
  readonly hardware: DriverChannel;
  readonly events: RecordingEvents;
  readonly #outcomes = new Set<() => void>();
  readonly #interruptions = new Set<(why: Interruption) => void>();

  constructor(hardware: DriverChannel, events: OutcomeEvents) {
    this.hardware = hardware;
    this.selector = `${hardware.sn}/${hardware.port}`;
    this.events = events;
    events.onOutcome = () => {
      for (const listener of [...this.#outcomes]) listener();
    };
    events.onLost = () => this.#interrupt('lost');
  }

  /** How many are listening, to see that nobody stays behind. */
  get listeners(): number {
    return this.#outcomes.size + this.#interruptions.size;
  }

  onOutcome(listener: () => void): () => void {
    this.#outcomes.add(listener);
    return () => void this.#outcomes.delete(listener);
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

  /** What was sent, in the order it got onto the bus. */
  get sentIds(): number[] {
    return this.events.completed.map(({ id }) => id);
  }

  #interrupt(why: Interruption): void {
    for (const listener of [...this.#interruptions]) listener(why);
  }
}

/** What a promise came to, once it did. */
export interface Watched {
  answer: SendAnswer | undefined;
  error: BusbarError | undefined;
}

/** A sender on the virtual bench, on a clock that moves only when told to. */
export class SendRig extends VirtualRig {
  readonly sender = new Sender({ clock: this.clock, scheduler: this.scheduler });

  async open(port: number, settings: OpenSettings = {}): Promise<RigChannel> {
    const events = new OutcomeEvents();
    return new RigChannel(await this.driver.open('SIM00001', port, settings, events), events);
  }

  found(channel: RigChannel): FoundSendChannel {
    return { channel, text: channel.selector, kind: 'serial', resolved: null };
  }

  /** Sends, and lets the caller see what it came to without waiting for it. */
  start(
    channel: RigChannel,
    request: Omit<SendRequest, 'channel'>,
    options?: SendOptions,
  ): Watched {
    const watched: Watched = { answer: undefined, error: undefined };
    const found = this.found(channel);
    this.sender.send(found, { channel: found.text, ...request }, options).then(
      (answer) => {
        watched.answer = answer;
      },
      (thrown) => {
        watched.error = BusbarError.from(thrown);
      },
    );
    return watched;
  }

  /** Lets time pass, and then everybody who waits for a promise hear of it. */
  async pass(deltaUs = 0): Promise<void> {
    this.advanceUs(deltaUs);
    await settle();
  }
}

/** Runs all promise callbacks that are due. */
export const settle = (): Promise<void> => nextTurn();
