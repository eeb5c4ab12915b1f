import type { Clock } from '../../base/clock/clock.ts';
import { DurationHistogram } from '../../base/durations/duration-histogram.ts';

const refusalReasons = ['bus_off', 'listen_only', 'lost', 'unpowered', 'not_master'] as const;

const skipReasons = [
  'unmapped_channel',
  'filtered',
  'before_offset',
  'error_frame',
  'not_on_bus',
  'no_response',
  'checksum_error',
  'sync_break',
  'wake_up',
  ...refusalReasons,
] as const;
export type SkipReason = (typeof skipReasons)[number];

export class ReplayCounts {
  sent = 0;
  maxLatenessUs = 0;
  readonly deviation = new DurationHistogram();
  readonly #clock: Clock;
  readonly #skipped = Object.fromEntries(skipReasons.map((reason) => [reason, 0])) as Record<
    SkipReason,
    number
  >;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  send(dueUs: number): void {
    const latenessUs = this.#clock.monotonicUs() - dueUs;
    this.sent += 1;
    this.deviation.record(Math.abs(latenessUs));
    if (latenessUs > this.maxLatenessUs) this.maxLatenessUs = latenessUs;
  }

  skip(reason: SkipReason): void {
    this.#skipped[reason] += 1;
  }

  get skipped(): number {
    return skipReasons.reduce((sum, reason) => sum + this.#skipped[reason], 0);
  }

  get warning(): string | null {
    const refused = refusalReasons.filter((reason) => this.#skipped[reason] > 0);
    if (refused.length === 0) return null;
    const frames = refused.reduce((sum, reason) => sum + this.#skipped[reason], 0);
    const what = frames === 1 ? '1 frame was not sent' : `${frames} frames were not sent`;
    const why = refused.map((reason) => `${this.#skipped[reason]} ${reason.replaceAll('_', ' ')}`);
    return `${what}: ${why.join(', ')}`;
  }

  get skippedBy(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.#skipped).filter(([, count]) => count > 0));
  }
}
