import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { canFrameUs, errorFrameBits } from '../../frame/can-bits.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { linFrameBits } from '../../frame/lin.ts';
import { channelText } from '../../trace/channel-key.ts';
import { errorFramesAt, isDeviceNotice } from '../../trace/error-frames.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { Check, LoadRule } from '../check.ts';
import type { CheckFigure, CheckPlot } from '../check-record.ts';
import { noEvent } from '../findings.ts';
import { PlotSeries } from '../plot-series.ts';
import { Evaluator, type RunParts } from './evaluator.ts';
import { figure } from './time-figures.ts';

export interface BusRates {
  readonly bitrate: number;
  /** Null if it is not known. */
  readonly dataBitrate: number | null;
}

export type RatesOf = (key: number) => BusRates | null;

const secondNs = 1e9;

/**
 * Bus load of each second from the first event of the run. A frame belongs to the second in which
 * it ends. Seconds with a gap and the last one are judged only if they are above the limit.
 */
export class LoadEvaluator extends Evaluator {
  readonly #rule: LoadRule;
  readonly #ratesOf: RatesOf;
  readonly #series = new PlotSeries();
  #rates: BusRates | null = null;
  #key: number | null = null;
  #startNs = Number.NaN;
  /** Number of the second that is measured. */
  #second = 0;
  #busyUs = 0;
  #isTouched = false;
  /** After a gap, up to the next event. */
  #isBlind = false;
  #sum = 0;
  #max = 0;

  constructor(check: Check, rule: LoadRule, parts: RunParts, ratesOf: RatesOf) {
    super(check, parts);
    this.#rule = rule;
    this.#ratesOf = ratesOf;
  }

  /** Any event of its channel. Seconds begin with the first event of all channels. */
  event(
    batch: TraceBatch,
    row: number,
    timeNs: number,
    number: number,
    key: number,
    startNs: number,
  ): void {
    this.#startNs = startNs;
    this.#key = key;
    this.#rates ??= this.#ratesFor(key);
    this.#moveTo(timeNs, number);
    if (this.#isBlind) this.#isTouched = true;
    this.#isBlind = false;
    this.#busyUs += this.#busyUsOf(batch, row, this.#rates);
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#moveTo(timeNs, number);
    this.#isTouched = true;
    this.#isBlind = true;
  }

  override end(timeNs: number, number: number): void {
    if (Number.isNaN(this.#startNs)) return;
    this.#moveTo(timeNs, number);
    this.#isTouched = true;
    this.#close(number);
  }

  #ratesFor(key: number): BusRates {
    const rates = this.#ratesOf(key);
    if (rates !== null) return rates;
    throw this.#noRate(
      `bitrate is required: the bit rate of channel ${channelText(key)} is not known`,
    );
  }

  #noRate(message: string): BusbarError {
    return invalidArgument('bitrate', message, { reason: 'no_bitrate', check: this.check.id });
  }

  #moveTo(timeNs: number, number: number): void {
    const second = Math.floor((timeNs - this.#startNs) / secondNs);
    if (!(second > this.#second)) return;
    this.#close(number);
    const idle = second - this.#second - 1;
    if (idle > 0 && !this.#isBlind) this.#addIdle(idle);
    this.#second = second;
  }

  #addIdle(seconds: number): void {
    this.findings.observed += seconds;
    this.#series.add(this.#startNs + (this.#second + 1) * secondNs, 0);
  }

  #close(number: number): void {
    const load = this.#busyUs / 10_000;
    const { percent, isInclusive } = this.#rule;
    const isAllowed = isInclusive ? load <= percent : load < percent;
    const fromNs = this.#startNs + this.#second * secondNs;
    if (!this.#isTouched || !isAllowed) {
      this.findings.observed += 1;
      this.#sum += load;
      if (load > this.#max) this.#max = load;
      this.#series.add(fromNs, load);
    }
    this.#busyUs = 0;
    this.#isTouched = false;
    if (isAllowed) return;
    const second = this.#second + 1;
    const text = `${load.toFixed(2)} % in second ${second}, not ${isInclusive ? 'up to' : 'below'} ${percent} %`;
    this.findings.violate(fromNs + secondNs, noEvent, number, this.#key, () => text);
  }

  #busyUsOf(batch: TraceBatch, row: number, { bitrate, dataBitrate }: BusRates): number {
    const flags = batch.flags[row] as number;
    if (batch.bus[row] === busCode.lin) return this.#linUs(batch, row, bitrate);
    if ((flags & frameFlag.error) !== 0) {
      return (errorFramesAt(batch, row) * errorFrameBits * 1e6) / bitrate;
    }
    if (isDeviceNotice(batch, row)) return 0;
    if (dataBitrate === null && (flags & frameFlag.brs) !== 0) {
      const channel = channelText(this.#key as number);
      throw this.#noRate(
        `bitrate is required: the data bit rate of channel ${channel} is not known`,
      );
    }
    return canFrameUs(
      flags,
      batch.id[row] as number,
      batch.dlc[row] as number,
      batch.payload,
      row * maxFdLength,
      bitrate,
      dataBitrate ?? bitrate,
    );
  }

  #linUs(batch: TraceBatch, row: number, bitrate: number): number {
    const flags = batch.flags[row] as number;
    if ((flags & (frameFlag.wakeUp | frameFlag.syncBreak)) !== 0) return 0;
    if (isDeviceNotice(batch, row)) return 0;
    return (linFrameBits(batch.length[row] as number) * 1e6) / bitrate;
  }

  protected get figures(): readonly CheckFigure[] {
    const seconds = this.findings.observed;
    if (seconds === 0) return [figure('seconds', 0)];
    return [
      figure('seconds', seconds),
      figure('mean', this.#sum / seconds, '%'),
      figure('max', this.#max, '%'),
    ];
  }

  protected get unobserved(): string {
    return this.#rates === null ? 'No events' : 'No whole second';
  }

  protected override get plot(): CheckPlot | null {
    const { points } = this.#series;
    if (points.length === 0) return null;
    return { name: 'Bus load', unit: '%', low: null, high: this.#rule.percent, points };
  }
}
