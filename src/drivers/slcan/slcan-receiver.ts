import { canFrameUs } from '../../frame/can-bits.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { IdPredicate } from '../../frame/id-filter.ts';
import type { ChannelSettings } from '../channel-settings.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter, WireFrame } from '../port-reporter.ts';
import { DeviceTime } from './device-time.ts';
import type { SlcanFrame, StampDigits } from './frame-text.ts';

const maxFilterNumber = 255;

interface CountingLine {
  readonly malformed: number;
}

export class SlcanReceiver {
  readonly #reporter: PortReporter;
  readonly #filters: readonly IdPredicate[];
  #time: DeviceTime | undefined;
  #lastUs = Number.NEGATIVE_INFINITY;
  #line: CountingLine | undefined;
  #malformed = 0;
  #malformedBefore = 0;

  constructor(reporter: PortReporter, filters: readonly IdPredicate[]) {
    this.#reporter = reporter;
    this.#filters = filters;
  }

  start(line: CountingLine, digits: StampDigits): void {
    this.stop();
    this.#time = digits === 0 ? undefined : new DeviceTime(digits);
    this.#line = line;
    this.#malformedBefore = line.malformed;
  }

  stop(): void {
    this.#malformed = this.malformed;
    this.#line = undefined;
  }

  get malformed(): number {
    return this.#malformed + (this.#line ? this.#line.malformed - this.#malformedBefore : 0);
  }

  stamp(atUs: number): number {
    this.#lastUs = Math.max(this.#lastUs, atUs);
    return this.#lastUs;
  }

  receive(frame: SlcanFrame, settings: ChannelSettings, nowUs: number): void {
    // Impossible on a classic bus: garbled, or from before a change.
    if ((frame.flags & frameFlag.fd) !== 0 && settings.bus !== 'canfd') {
      this.#malformed += 1;
      return;
    }
    this.countBusy(frame, settings);
    const filterHit = this.#filterHit(frame.id, frame.flags);
    if (filterHit < 0) return;
    const atUs = this.#time ? this.#time.hostUs(frame.stamp, nowUs) : nowUs;
    this.#reporter.rxFrames += 1;
    this.#reporter.received(frame, eventStatus.ok, this.stamp(atUs), filterHit);
  }

  countBusy(frame: WireFrame, { bitrate, dataBitrate = bitrate }: ChannelSettings): void {
    const { flags, id, dlc, data, offset } = frame;
    this.#reporter.busyUs += canFrameUs(flags, id, dlc, data, offset, bitrate, dataBitrate);
  }

  #filterHit(id: number, flags: number): number {
    const filters = this.#filters;
    if (filters.length === 0) return 0;
    for (let i = 0; i < filters.length; i++) {
      if (filters[i]?.(id, flags)) return Math.min(i + 1, maxFilterNumber);
    }
    return -1;
  }
}
