import type { Check, OrderEvent, OrderRule } from '../check.ts';
import type { CheckFigure, CheckPlot } from '../check-record.ts';
import { PlotSeries } from '../plot-series.ts';
import { type Deadline, Evaluator, type FrameHandler, type RunParts } from './evaluator.ts';
import { figure, msText, TimeFigures } from './time-figures.ts';

/**
 * Two events that take turns:
 *
 *            first               second in time
 *     idle ─────────▶ waiting ───────────────▶ idle
 *
 * A violation: first while waiting, second while idle, or the time is over. A second event is
 * judged only after the first of all, and after a gap only again after a first one.
 */
export class OrderEvaluator extends Evaluator {
  readonly #rule: OrderRule;
  readonly #deadline: Deadline;
  readonly #times = new TimeFigures();
  readonly #series = new PlotSeries();
  #hasBegun = false;
  #isWaiting = false;
  #firstNs = 0;
  #firstNumber = 0;
  #key: number | null = null;
  #pairs = 0;

  constructor(check: Check, rule: OrderRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
    this.#deadline = parts.deadline;
  }

  /** A handler of frames that are one of the two events. */
  handlerFor(isFirst: boolean): FrameHandler {
    return {
      frame: (_batch, _row, timeNs, number, key) => {
        this.event(isFirst, timeNs, number, number, key);
      },
    };
  }

  event(isFirst: boolean, timeNs: number, event: number, number: number, key: number | null): void {
    this.#key = key;
    if (isFirst) this.#first(timeNs, event, number);
    else this.#second(timeNs, event, number);
  }

  #first(timeNs: number, event: number, number: number): void {
    const again = this.#isWaiting;
    this.#hasBegun = true;
    this.#isWaiting = true;
    this.#firstNs = timeNs;
    this.#firstNumber = event;
    this.#deadline.plan(timeNs + this.#rule.window.ns);
    if (!again) return;
    this.findings.observed += 1;
    this.#violate(timeNs, event, number, () => `${this.#names[0]} again before ${this.#names[1]}`);
  }

  #second(timeNs: number, event: number, number: number): void {
    if (!this.#hasBegun) return;
    this.findings.observed += 1;
    if (!this.#isWaiting) {
      const [first, second] = this.#names;
      this.#violate(timeNs, event, number, () => `${second} without ${first} before it`);
      return;
    }
    this.#isWaiting = false;
    const neededNs = timeNs - this.#firstNs;
    this.#pairs += 1;
    this.#times.add(neededNs);
    this.#series.add(timeNs, neededNs / 1e6);
  }

  override expire(nowNs: number, number: number): void {
    if (!this.#isWaiting) return;
    const { ns } = this.#rule.window;
    const endNs = this.#firstNs + ns;
    if (endNs >= nowNs) {
      this.#deadline.plan(endNs);
      return;
    }
    this.#isWaiting = false;
    this.#hasBegun = false;
    this.findings.observed += 1;
    const [first, second] = this.#names;
    this.#violate(
      endNs,
      this.#firstNumber,
      number,
      () => `No ${second} within ${msText(ns)} after ${first}`,
    );
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#isWaiting = false;
    this.#hasBegun = false;
  }

  #violate(timeNs: number, event: number, number: number, message: () => string): void {
    this.findings.violate(timeNs, event, number, this.#key, message);
  }

  get #names(): readonly [string, string] {
    const name = (event: OrderEvent): string =>
      'message' in event ? event.message.text : event.text;
    return [name(this.#rule.first), name(this.#rule.second)];
  }

  protected get figures(): readonly CheckFigure[] {
    return [figure('pairs', this.#pairs), ...this.#times.figures];
  }

  protected get unobserved(): string {
    const [first, second] = this.#names;
    return `No ${first} with ${second} after it`;
  }

  protected override get plot(): CheckPlot | null {
    const { points } = this.#series;
    if (points.length === 0) return null;
    const high = this.#rule.window.ns / 1e6;
    return { name: 'Time from the first to the second', unit: 'ms', low: null, high, points };
  }
}
