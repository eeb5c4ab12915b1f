import { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../base/schedule/testing/fake-alarm.ts';
import type { CanChannel, DriverChannel } from '../../../drivers/driver-channel.ts';
import type { SendResult } from '../../../drivers/send-result.ts';
import { Outbox } from '../outbox.ts';

interface QueuedFrame {
  readonly id: number;
  /** 0 for a frame of the device itself. */
  readonly number: number;
}

/**
 * A CAN port that sends a frame only on request of the test, with the outbox in front of it.
 */
export class FakePort {
  readonly clock = new FakeClock({ startUs: 1_000_000 });
  readonly defects: unknown[] = [];
  /** Identifiers of the sent frames, without those of the device itself. */
  readonly sent: number[] = [];
  readonly outbox: Outbox;
  readonly capacity: number;
  readonly txDepth: number;
  refusal: SendResult | undefined;
  /** Called by `send` before the frame is accepted. */
  onSend: () => void = () => undefined;
  /** Called after the port has counted its frames for a caller. */
  onCounted: () => void = () => undefined;
  #accepted = 0;
  readonly #queue: QueuedFrame[] = [];

  constructor({ capacity = 8, txDepth = 1 } = {}) {
    this.capacity = capacity;
    this.txDepth = txDepth;
    const { clock } = this;
    const onDefect = (thrown: unknown) => this.defects.push(thrown);
    const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError: onDefect });
    this.outbox = new Outbox({ hardware: this.#channel(), clock, scheduler, onDefect });
  }

  get pending(): number {
    return this.#queue.filter(({ number }) => number > 0).length;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0;
  }

  complete(): void {
    const frame = this.#queue.shift();
    if (!frame) return;
    if (frame.number === 0) {
      this.outbox.moved();
      return;
    }
    this.sent.push(frame.id);
    this.outbox.sent(frame.number, this.clock.unixUs(), frame.number);
  }

  /** Sends the first frame of its queue, but its record is overwritten before the outbox sees it. */
  completeUnseen(): void {
    this.#queue.shift();
    this.outbox.missed();
  }

  /** Drops all queued frames. */
  fail(): void {
    const { pending } = this;
    this.#queue.length = 0;
    if (pending > 0) this.outbox.failed(pending, this.#accepted, this.clock.unixUs());
  }

  /** Disconnects or reconnects the device. */
  lose(): void {
    if (this.refusal === 'lost') return;
    this.refusal = 'lost';
    this.fail();
    this.outbox.interrupt('lost');
  }

  comeBack(): void {
    if (this.refusal === 'lost') this.refusal = undefined;
  }

  goBusOff(): void {
    if (this.refusal) return;
    this.refusal = 'bus_off';
    this.fail();
    this.outbox.moved();
  }

  async recover(): Promise<void> {
    if (this.refusal === 'bus_off') this.refusal = undefined;
  }

  /** Restarts with other settings. */
  configure(): void {
    if (this.refusal === 'lost') return;
    this.fail();
    this.outbox.reconfigured();
  }

  /** Queues a frame of the device itself, if there is space. */
  sendOwn(): void {
    if (this.#queue.length < this.capacity) this.#queue.push({ id: 0, number: 0 });
  }

  #channel(): DriverChannel {
    const { txDepth, capacity } = this;
    const pendingNow = () => {
      const { pending } = this;
      this.onCounted();
      return pending;
    };
    const channel: Partial<CanChannel> = {
      bus: 'can',
      txDepth,
      capabilities: { txQueue: capacity } as CanChannel['capabilities'],
      get pending() {
        return pendingNow();
      },
      check: () => this.refusal ?? 'accepted',
      send: (id) => this.#send(id),
    };
    return channel as CanChannel;
  }

  #send(id: number): SendResult {
    this.onSend();
    if (this.refusal) return this.refusal;
    if (this.#queue.length >= this.capacity) return 'full';
    this.#accepted += 1;
    this.#queue.push({ id, number: this.#accepted });
    return 'accepted';
  }
}
