import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock/clock.ts';
import { Mutex } from '../base/mutex.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import type { ChannelSettings, SettingChange } from '../drivers/channel-settings.ts';
import type { DriverChannel, PortControl } from '../drivers/driver-channel.ts';
import { AttachedNames } from './attached-names.ts';
import type { BenchSink, FrameListener, Interruption } from './bench-sink.ts';
import { BusOffRecovery } from './bus-off-recovery.ts';
import {
  type ChannelIdentity,
  type ChannelRecord,
  type ChannelState,
  type ChannelStatsRecord,
  type ChannelTrafficRecord,
  channelRecord,
  channelStatsRecord,
  channelTrafficRecord,
} from './channel-record.ts';
import { Outbox } from './outbox/outbox.ts';
import { RateHistory } from './rate-history.ts';
import { RateMeter } from './rate-meter.ts';
import { stableSelector } from './selector.ts';

export interface ChannelParts {
  readonly identity: ChannelIdentity;
  readonly hardware: DriverChannel;
  readonly sink: BenchSink;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** CAN only: time in bus-off before automatic recovery; 0 or undefined disables it. */
  readonly restartMs?: number;
  readonly onDefect: (thrown: unknown) => void;
}

export class Channel implements ChannelIdentity {
  readonly slot: number;
  /** `<sn>/<port>`, regardless of how the channel was opened. */
  readonly selector: string;
  readonly sn: string;
  readonly uid: string;
  readonly port: number;
  readonly number: number;
  readonly name: string | null;
  readonly driver: string;
  readonly hardware: PortControl;
  readonly outbox: Outbox;
  readonly recovery: BusOffRecovery | undefined;
  readonly databases: AttachedNames;
  readonly #sink: BenchSink;
  readonly #clock: Clock;
  readonly #openedAtUs: number;
  readonly #meter = new RateMeter();
  readonly #history = new RateHistory();
  readonly #turns = new Mutex();
  #closing: Promise<ChannelRecord> | undefined;

  constructor(parts: ChannelParts) {
    const { identity, hardware, sink, clock, scheduler, onDefect } = parts;
    this.slot = identity.slot;
    this.selector = stableSelector(identity.sn, identity.port);
    this.sn = identity.sn;
    this.uid = identity.uid;
    this.port = identity.port;
    this.number = identity.number;
    this.name = identity.name;
    this.driver = identity.driver;
    this.hardware = hardware;
    this.outbox = new Outbox({ hardware, clock, scheduler, onDefect });
    this.#sink = sink;
    sink.outcomes = this.outbox;
    // Registered first, because other listeners can send again.
    sink.interruptions.add((why) => {
      if (why === 'closed') this.outbox.end();
      else if (why === 'lost') this.outbox.interrupt('lost');
      else this.outbox.reconfigured();
    });
    if (hardware.bus !== 'lin') {
      const { restartMs = 0 } = parts;
      this.recovery = new BusOffRecovery({ hardware, sink, restartMs, clock, scheduler, onDefect });
    }
    this.databases = new AttachedNames(this.selector, hardware.bus);
    this.#clock = clock;
    this.#openedAtUs = clock.unixUs();
    this.sampleRates();
  }

  get state(): ChannelState {
    if (this.#closing) return 'closing';
    if (this.#sink.isLost) return 'lost';
    return this.#sink.isBusOff ? 'bus_off' : 'open';
  }

  record(): ChannelRecord {
    const { state, hardware, recovery, databases } = this;
    const restartMs = recovery?.restartMs ?? null;
    return channelRecord(this, state, hardware, restartMs, this.#openedAtUs, databases);
  }

  stats(): ChannelStatsRecord {
    const stats = this.hardware.stats();
    const { rxFrames, txFrames, busyUs } = stats;
    const rates = this.#meter.read(this.#clock.monotonicUs(), rxFrames, txFrames, busyUs);
    const { waiting, failedFrames } = this.outbox;
    return channelStatsRecord(
      this,
      {
        ...stats,
        txPending: stats.txPending + waiting,
        txFailed: stats.txFailed + failedFrames,
        overruns: stats.overruns + this.#sink.missedRecords,
      },
      rates,
      this.#sink.timesLost,
      this.hardware.clockBracketUs ?? null,
    );
  }

  traffic(afterUs: number): ChannelTrafficRecord {
    return channelTrafficRecord(this.record(), this.#history.after(afterUs));
  }

  sampleRates(): void {
    const { rxFrames, txFrames, busyUs } = this.hardware.stats();
    const nowUs = this.#clock.monotonicUs();
    if (this.#history.isDue(nowUs)) {
      const rates = this.#meter.read(nowUs, rxFrames, txFrames, busyUs);
      this.#history.add(this.#clock.unixUs(), rates);
    }
    this.#meter.sample(nowUs, rxFrames, txFrames, busyUs);
  }

  /** The listener is called when the channel closes, is reconfigured or loses its device. */
  onInterrupted(listener: (why: Interruption) => void): () => void {
    return this.#sink.interruptions.add(listener);
  }

  onReturned(listener: () => void): () => void {
    return this.#sink.returns.add(listener);
  }

  onFrame(listener: FrameListener): () => void {
    return this.#sink.frames.add(listener);
  }

  /** The listener is called for every sent frame, including LIN responses. */
  onSent(listener: FrameListener): () => void {
    return this.#sink.sentFrames.add(listener);
  }

  /**
   * Changes one group of settings, after earlier changes. Returns false if the channel was closing.
   */
  configure(changeOf: (settings: ChannelSettings) => SettingChange): Promise<boolean> {
    return this.#turns.take(async () => {
      if (this.#closing) return false;
      const before = this.hardware.settings;
      await this.hardware.configure(changeOf(before));
      const isChanged = !isDeepStrictEqual(this.hardware.settings, before);
      if (isChanged && !this.#closing) this.#sink.interruptions.report('configured');
      return true;
    });
  }

  /** Takes the port off the bus after the current change. Returns the record at that time. */
  close(): Promise<ChannelRecord> {
    if (this.#closing) return this.#closing;
    this.recovery?.end();
    this.#closing = this.#turns.take(async () => {
      const record = this.record();
      try {
        await this.hardware.close();
      } finally {
        this.outbox.closed();
      }
      return record;
    });
    this.#sink.interruptions.report('closed');
    return this.#closing;
  }
}
