import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { Check, CycleRule } from '../check.ts';
import type { CheckFigure, CheckPlot } from '../check-record.ts';
import { noEvent } from '../findings.ts';
import { PlotSeries } from '../plot-series.ts';
import { Evaluator, type FrameHandler, type RunParts } from './evaluator.ts';
import { figure, msText, TimeFigures } from './time-figures.ts';

/** The time between two frames. It is not judged across a gap, nor before the first frame. */
export class CycleEvaluator extends Evaluator implements FrameHandler {
  readonly #rule: CycleRule;
  readonly #times = new TimeFigures();
  readonly #series = new PlotSeries();
  #lastNs = Number.NaN;
  #key: number | null = null;
  #frames = 0;

  constructor(check: Check, rule: CycleRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
  }

  frame(_batch: TraceBatch, _row: number, timeNs: number, number: number, key: number): void {
    const { lowNs, highNs } = this.#rule;
    const cycleNs = timeNs - this.#lastNs;
    this.#lastNs = timeNs;
    this.#key = key;
    this.#frames += 1;
    if (Number.isNaN(cycleNs)) return;
    this.findings.observed += 1;
    this.#times.add(cycleNs);
    this.#series.add(timeNs, cycleNs / 1e6);
    if (cycleNs >= lowNs && cycleNs <= highNs) return;
    this.findings.violate(
      timeNs,
      number,
      number,
      key,
      () => `${msText(cycleNs)} after the frame before, not ${this.#limits}`,
    );
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#lastNs = Number.NaN;
  }

  override end(timeNs: number, number: number): void {
    const waitedNs = timeNs - this.#lastNs;
    if (!(waitedNs > this.#rule.highNs)) return;
    this.findings.violate(
      timeNs,
      noEvent,
      number,
      this.#key,
      () => `No frame for ${msText(waitedNs)} up to the end, not ${this.#limits}`,
    );
  }

  get #limits(): string {
    const { lowNs, highNs } = this.#rule;
    return `${msText(lowNs)} to ${msText(highNs)}`;
  }

  protected get figures(): readonly CheckFigure[] {
    return [figure('count', this.#frames), ...this.#times.figures, ...this.#times.jitter];
  }

  protected get unobserved(): string {
    const { text } = this.#rule.message;
    return this.#frames === 0 ? `No frame of ${text}` : `Only one frame of ${text}`;
  }

  protected override get plot(): CheckPlot | null {
    const { lowNs, highNs } = this.#rule;
    const points = this.#series.points;
    if (points.length === 0) return null;
    return { name: 'Cycle time', unit: 'ms', low: lowNs / 1e6, high: highNs / 1e6, points };
  }
}
