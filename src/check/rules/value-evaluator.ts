import { conditionError } from '../../condition/scanner.ts';
import { compileComparison, type RawTest, type SignalReader } from '../../condition/signal-test.ts';
import type { Signal } from '../../database/model.ts';
import { SampleText } from '../../signal/sample-text.ts';
import { scaleOf } from '../../signal/signal-scale.ts';
import type { Check, ValueRule } from '../check.ts';
import type { CheckFigure, CheckPlot } from '../check-record.ts';
import { PlotSeries } from '../plot-series.ts';
import type { RunParts } from './evaluator.ts';
import { SignalEvaluator } from './signal-evaluator.ts';
import { figure } from './time-figures.ts';

/** Values in a range, compared exactly. Figures and plot have the nearest doubles. */
export class ValueEvaluator extends SignalEvaluator {
  readonly #rule: ValueRule;
  readonly #series = new PlotSeries();
  readonly #physical = new Float64Array(1);
  #unit = '';
  #count = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;

  constructor(check: Check, rule: ValueRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
  }

  /** A test of each limit, or the reason why the signal cannot be compared. */
  testsFor(signal: Signal): readonly [RawTest, RawTest] {
    const { low, high } = this.#rule;
    const tests = [
      compileComparison(signal, '>=', { text: low.text, isLabel: false, at: 0 }),
      compileComparison(signal, '<=', { text: high.text, isLabel: false, at: 0 }),
    ] as const;
    for (const test of tests) {
      if (!('expected' in test)) continue;
      const { at } = this.#rule.signal;
      const { expected } = test;
      const message = `expected ${expected} at offset ${at}`;
      throw conditionError(this.check.field, at, expected, message);
    }
    return tests as unknown as readonly [RawTest, RawTest];
  }

  protected judgeFor(signal: Signal) {
    const [isFromLow, isToHigh] = this.testsFor(signal);
    const scale = signal.ranges === undefined ? scaleOf(signal) : null;
    const isFloat = signal.kind === 'float32' || signal.kind === 'float64';
    const texts = new SampleText([signal]);
    this.#unit = signal.unit;
    const physical = this.#physical;
    const put = (reader: SignalReader): void => {
      if (scale === null) {
        physical[0] = Number(texts.textOf(reader.values, 0)?.value ?? Number.NaN);
      } else if (isFloat) physical[0] = scale.nearestOfFloat(reader.values.numbers[0] as number);
      else scale.putNearest(reader.values.get(0) as number | bigint, physical, 0);
    };
    return (reader: SignalReader, timeNs: number, number: number, key: number): void => {
      const { findings } = this;
      findings.observed += 1;
      const { values } = reader;
      put(reader);
      const value = physical[0] as number;
      if (Number.isFinite(value)) this.#add(timeNs, value);
      if (isFromLow.matches(values) && isToHigh.matches(values)) return;
      findings.violate(timeNs, number, number, key, () => {
        const text = texts.textOf(values, 0);
        const found = text?.value ?? text?.raw ?? '';
        const { low, high } = this.#rule;
        return `${found}${unitText(text?.unit)}, not ${low.text} to ${high.text}`;
      });
    };
  }

  #add(timeNs: number, value: number): void {
    this.#count += 1;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    this.#sum += value;
    this.#series.add(timeNs, value);
  }

  protected get figures(): readonly CheckFigure[] {
    const count = figure('count', this.findings.observed);
    if (this.#count === 0) return [count];
    return [
      count,
      figure('min', this.#min, this.#unit),
      figure('mean', this.#sum / this.#count, this.#unit),
      figure('max', this.#max, this.#unit),
    ];
  }

  protected get unobserved(): string {
    const { message, signal } = this.#rule.signal;
    return `No value of ${message}.${signal}`;
  }

  protected override get plot(): CheckPlot | null {
    const { points } = this.#series;
    if (points.length === 0) return null;
    const { signal, low, high } = this.#rule;
    return {
      name: `${signal.message}.${signal.signal}`,
      unit: this.#unit,
      low: Number(low.text),
      high: Number(high.text),
      points,
    };
  }
}

const unitText = (unit: string | undefined): string => (unit ? ` ${unit}` : '');
