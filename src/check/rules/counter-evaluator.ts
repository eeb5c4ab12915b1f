import type { SignalReader } from '../../condition/signal-test.ts';
import type { Signal } from '../../database/model.ts';
import { rawSpanOf } from '../../database/raw-span.ts';
import { isWide } from '../../signal/raw-values.ts';
import type { Check, CounterRule } from '../check.ts';
import type { CheckFigure } from '../check-record.ts';
import type { RunParts } from './evaluator.ts';
import { SignalEvaluator } from './signal-evaluator.ts';
import { figure } from './time-figures.ts';

/** A counter that grows by 1 and wraps. The first value after a gap is not judged. */
export class CounterEvaluator extends SignalEvaluator {
  readonly #rule: CounterRule;
  #last: number | bigint | null = null;
  #repeated = 0;

  constructor(check: Check, rule: CounterRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
  }

  protected judgeFor(signal: Signal) {
    const max = this.#rule.max ?? rawSpanOf(signal).highest;
    return isWide(signal)
      ? this.#judge(max, 0n, (last) => last + 1n)
      : this.#judge(Number(max), 0, (last) => last + 1);
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#last = null;
  }

  #judge<Raw extends number | bigint>(max: Raw, zero: Raw, after: (last: Raw) => Raw) {
    return ({ values }: SignalReader, timeNs: number, number: number, key: number): void => {
      const raw = values.get(0) as Raw;
      const last = this.#last as Raw | null;
      const { findings } = this;
      findings.observed += last === null ? 0 : 1;
      this.#last = raw > max ? null : raw;
      if (raw > max || raw < zero) {
        findings.violate(timeNs, number, number, key, () => `${raw}, above the maximum ${max}`);
        return;
      }
      if (last === null) return;
      const expected = last === max ? zero : after(last);
      if (raw === expected) return;
      if (raw === last) this.#repeated += 1;
      findings.violate(timeNs, number, number, key, () => `${raw} after ${last}, not ${expected}`);
    };
  }

  protected get figures(): readonly CheckFigure[] {
    return [
      figure('count', this.findings.observed),
      figure('repeated', this.#repeated),
      figure('jumps', this.findings.total - this.#repeated),
    ];
  }

  protected get unobserved(): string {
    const { message, signal } = this.#rule.signal;
    return `Fewer than two values of ${message}.${signal}`;
  }
}
