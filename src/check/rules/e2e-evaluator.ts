import { requireE2e } from '../../e2e/check-fields.ts';
import type { CheckResult as FrameResult } from '../../e2e/check-state.ts';
import { Checker } from '../../e2e/checker.ts';
import { compileLayout } from '../../e2e/layout.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { Check, E2eRule } from '../check.ts';
import type { CheckFigure } from '../check-record.ts';
import { codecField } from '../parse-check.ts';
import { Evaluator, type FrameHandler, type RunParts } from './evaluator.ts';
import { figure } from './time-figures.ts';

const faults: Readonly<Partial<Record<FrameResult, string>>> = {
  repeated: 'The frame is repeated',
  wrong_sequence: 'The counter is out of sequence',
  error: 'Wrong checksum, data id or length, or a counter outside its range',
};

/** End-to-end protection. The counter of the first frame, and after a gap, is not judged. */
export class E2eEvaluator extends Evaluator implements FrameHandler {
  readonly #rule: E2eRule;
  /** Length of the message; if no database has it, of its first frame. */
  #length: number | null = null;
  #checker: Checker | null = null;
  readonly #counts = new Map<FrameResult, number>();

  constructor(check: Check, rule: E2eRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
  }

  /** Rejects protection that does not fit into the message. */
  setLength(length: number | null): void {
    if (length === null || this.#length !== null) return;
    this.#length = length;
    this.#checker = this.#compile(length);
  }

  frame(batch: TraceBatch, row: number, timeNs: number, number: number, key: number): void {
    const length = batch.length[row] as number;
    this.#length ??= length;
    this.#checker ??= this.#compile(this.#length);
    const isWhole = length >= this.#length;
    const result = isWhole ? this.#checker.check(batch.payload, row * maxFdLength) : 'error';
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
    this.findings.observed += 1;
    const fault = faults[result];
    if (fault === undefined) return;
    this.findings.violate(timeNs, number, number, key, () =>
      isWhole ? fault : `${length} bytes, not ${this.#length}`,
    );
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#checker?.reset();
  }

  #compile(length: number): Checker {
    const { codec } = this.#rule;
    requireE2e(codec, length, codecField(this.check.field));
    return new Checker(compileLayout(codec, length), codec);
  }

  protected get figures(): readonly CheckFigure[] {
    return [
      figure('count', this.findings.observed),
      ...[...this.#counts].sort().map(([result, count]) => figure(result, count)),
    ];
  }

  protected get unobserved(): string {
    return `No frame of ${this.#rule.message.text}`;
  }
}
