import { gapRemark } from '../../trace/trace-gap.ts';
import type { Check } from '../check.ts';
import type { CheckFigure } from '../check-record.ts';
import { noEvent } from '../findings.ts';
import { Evaluator, type RunParts } from './evaluator.ts';
import { figure } from './time-figures.ts';

/** A condition that must not become true. */
export class NeverEvaluator extends Evaluator {
  /** What its condition is about and has not been seen. */
  readonly #unseen: Set<string>;
  #hasEvents = false;

  constructor(check: Check, parts: RunParts, needed: Iterable<string>) {
    super(check, parts);
    this.#unseen = new Set(needed);
  }

  /** A message or an identifier that the condition needs has arrived. */
  see(name: string): void {
    this.#unseen.delete(name);
  }

  /** An event of a channel that it concerns. */
  concern(): void {
    this.#hasEvents = true;
  }

  fire(timeNs: number, event: number, number: number, key: number | null): void {
    this.findings.violate(timeNs, event, number, key, () => 'The condition became true');
  }

  override end(): void {
    if (this.#hasEvents) this.findings.observed += 1;
    const [unseen] = this.#unseen;
    if (unseen !== undefined) this.findings.leaveOpen(`No frame of ${unseen}`);
  }

  protected get figures(): readonly CheckFigure[] {
    return [figure('count', this.findings.total)];
  }

  protected get unobserved(): string {
    return 'No events';
  }
}

/** No events may be missing. */
export class NeverGapEvaluator extends Evaluator {
  #missed = 0;

  constructor(check: Check, parts: RunParts) {
    super(check, parts);
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    this.#missed += missed ?? 0;
    this.findings.violate(timeNs, noEvent, number, null, () => gapRemark(missed));
  }

  override end(_timeNs: number, number: number): void {
    if (number > 0) this.findings.observed += 1;
  }

  protected get figures(): readonly CheckFigure[] {
    return [figure('count', this.findings.total), figure('missed', this.#missed)];
  }

  protected get unobserved(): string {
    return 'No events';
  }
}
