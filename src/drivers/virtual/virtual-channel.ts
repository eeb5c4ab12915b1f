import { busCode } from '../../frame/frm2-layout.ts';
import type { ChannelSettings, SettingChange } from '../channel-settings.ts';
import { busStates, type ChannelStats } from '../channel-stats.ts';
import type { PortInfo } from '../driver.ts';
import { eventStatus } from '../event-status.ts';
import type { PortCapabilities } from '../port-capabilities.ts';
import type { PortReporter } from '../port-reporter.ts';
import { deviceLost } from '../refusals.ts';
import type { Segment } from './segment.ts';
import type { SegmentClock } from './segment-clock.ts';
import { changedSettings, interruptsBus } from './virtual-settings.ts';

export interface VirtualChannelParts {
  readonly sn: string;
  readonly info: PortInfo;
  readonly settings: ChannelSettings;
  readonly reporter: PortReporter;
  readonly time: SegmentClock;
  readonly onClose: () => void;
}

export abstract class VirtualChannel {
  readonly sn: string;
  readonly port: number;
  /** A frame sent from an outcome report starts right after the previous one. */
  readonly txDepth = 1;
  protected readonly reporter: PortReporter;
  protected readonly time: SegmentClock;
  protected present = true;
  readonly #info: PortInfo;
  readonly #onClose: () => void;
  #settings: ChannelSettings;
  #closed = false;

  constructor({ sn, info, settings, reporter, time, onClose }: VirtualChannelParts) {
    this.sn = sn;
    this.port = info.port;
    this.reporter = reporter;
    this.time = time;
    this.#info = info;
    this.#settings = settings;
    this.#onClose = onClose;
  }

  get capabilities(): PortCapabilities {
    return this.#info.capabilities;
  }

  get settings(): ChannelSettings {
    return this.#settings;
  }

  async configure(change: SettingChange): Promise<void> {
    if (!this.present) throw deviceLost(this.sn);
    const settings = changedSettings(this.#info, this.#settings, change);
    const isInterrupted = interruptsBus(change);
    const isRestart = isInterrupted && this.#isBusOff;
    if (settings === this.#settings && !isRestart) return;
    if (isInterrupted) {
      this.#leaveBus();
      // A listener may have closed the channel.
      if (!this.present) throw deviceLost(this.sn);
      this.#settings = settings;
      this.#joinBus();
      if (isRestart) this.reportRestart();
    } else {
      this.time.catchUp(this.segment);
      this.#settings = settings;
      this.applyQuietly();
    }
  }

  stats(): ChannelStats {
    if (this.present) this.time.catchUp(this.segment);
    // All counted errors are reported, so that the events match the counters.
    this.reporter.flushRepeats();
    const { rxFrames, txFrames, txFailed, errorFrames, busyUs } = this.reporter;
    return {
      rxFrames,
      txFrames,
      txFailed,
      errorFrames,
      overruns: 0,
      txPending: this.queued,
      busState: busStates[this.severity] ?? 'error_active',
      txErrorCount: this.txErrorCount,
      rxErrorCount: this.rxErrorCount,
      busyUs,
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.present) this.#vanish();
    this.reporter.close();
    this.#onClose();
  }

  lose(): void {
    if (!this.present) return;
    this.#vanish();
    this.reporter.presence(this.#busCode(), eventStatus.device_lost, this.time.nowUs);
    this.reporter.sink.lost();
  }

  comeBack(): void {
    if (this.present || this.#closed) return;
    this.present = true;
    this.#joinBus();
    this.reporter.presence(this.#busCode(), eventStatus.device_returned, this.time.nowUs);
    this.reporter.sink.returned();
  }

  protected reportRestart(): void {}

  get #isBusOff(): boolean {
    this.time.catchUp(this.segment);
    return busStates[this.severity] === 'bus_off';
  }

  #busCode(): number {
    return this.settings.bus === 'lin' ? busCode.lin : busCode.can;
  }

  #vanish(): void {
    this.time.catchUp(this.segment);
    this.present = false;
    this.#leaveBus();
  }

  #leaveBus(): void {
    const { segment } = this;
    this.takeOffBus(this.time.catchUp(segment));
    this.time.attend(segment);
  }

  #joinBus(): void {
    this.putOnBus();
    this.time.attend(this.segment);
  }

  abstract readonly pending: number;
  protected abstract readonly queued: number;
  protected abstract readonly segment: Segment;
  protected abstract readonly severity: number;
  protected abstract readonly txErrorCount: number;
  protected abstract readonly rxErrorCount: number;
  protected abstract takeOffBus(nowUs: number): void;
  protected abstract putOnBus(): void;
  protected abstract applyQuietly(): void;
}
