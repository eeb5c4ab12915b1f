import { BytePattern } from '../../condition/byte-pattern.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { type IdPattern, isOfPattern } from '../../frame/id-pattern.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { AnswerRule, Check } from '../check.ts';
import type { CheckFigure, CheckPlot } from '../check-record.ts';
import { PlotSeries } from '../plot-series.ts';
import { type Deadline, Evaluator, type FrameHandler, type RunParts } from './evaluator.ts';
import { figure, TimeFigures } from './time-figures.ts';
import { WaitingEvents } from './waiting.ts';

/** More requests than this do not wait at a time. */
const maxWaiting = 65_536;

/**
 * Requests and their answers. An answer belongs to the oldest request that waits; the deadline
 * is in time. Requests before a gap, and at the end, are not judged if they still wait.
 */
export class AnswerEvaluator extends Evaluator implements FrameHandler {
  readonly #rule: AnswerRule;
  readonly #deadline: Deadline;
  readonly #request: BytePattern;
  readonly #answer: BytePattern;
  readonly #waiting = new WaitingEvents();
  readonly #times = new TimeFigures();
  readonly #series = new PlotSeries();
  #requests = 0;
  #key: number | null = null;

  constructor(check: Check, rule: AnswerRule, parts: RunParts) {
    super(check, parts);
    this.#rule = rule;
    this.#deadline = parts.deadline;
    this.#request = new BytePattern(rule.request.data);
    this.#answer = new BytePattern(rule.answer.data);
  }

  /** Whether frames with an identifier can be a request or an answer. */
  concerns(id: number, extended: boolean): boolean {
    const isOf = (pattern: IdPattern): boolean =>
      pattern.extended === extended && isOfPattern(pattern, id);
    return isOf(this.#rule.request.id) || isOf(this.#rule.answer.id);
  }

  frame(batch: TraceBatch, row: number, timeNs: number, number: number, key: number): void {
    const id = batch.id[row] as number;
    const at = row * maxFdLength;
    const length = batch.length[row] as number;
    const { request, answer } = this.#rule;
    if (key === this.#key && isOfPattern(answer.id, id)) {
      if (this.#answer.matches(batch.payload, at, length)) this.#answered(timeNs);
    }
    if (!isOfPattern(request.id, id) || !this.#request.matches(batch.payload, at, length)) return;
    this.claim(key);
    this.#key = key;
    this.#requests += 1;
    if (this.#waiting.size === maxWaiting) {
      this.findings.leaveOpen(`More than ${maxWaiting} requests wait for an answer`);
      return;
    }
    this.#waiting.push(timeNs, number);
    this.#deadline.plan(this.#waiting.firstNs + this.#rule.window.ns);
  }

  #answered(timeNs: number): void {
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    const neededNs = timeNs - waiting.firstNs;
    waiting.shift();
    this.findings.observed += 1;
    this.#times.add(neededNs);
    this.#series.add(timeNs, neededNs / 1e6);
  }

  override expire(nowNs: number, number: number): void {
    const waiting = this.#waiting;
    const { ns, text } = this.#rule.window;
    for (; waiting.size > 0 && waiting.firstNs + ns < nowNs; waiting.shift()) {
      this.findings.observed += 1;
      this.findings.violate(
        waiting.firstNs + ns,
        waiting.firstNumber,
        number,
        this.#key,
        () => `No answer within ${text}`,
      );
    }
    if (waiting.size > 0) this.#deadline.plan(waiting.firstNs + ns);
  }

  override gap(timeNs: number, number: number, missed: number | null): void {
    super.gap(timeNs, number, missed);
    this.#waiting.clear();
  }

  protected get figures(): readonly CheckFigure[] {
    const answered = this.#times.count;
    return [
      figure('requests', this.#requests),
      figure('answered', answered),
      figure('unanswered', this.findings.total),
      ...this.#times.figures,
    ];
  }

  protected get unobserved(): string {
    const { text } = this.#rule.request;
    return this.#requests === 0 ? `No request ${text}` : `No request ${text} whose time was over`;
  }

  protected override get plot(): CheckPlot | null {
    const { points } = this.#series;
    if (points.length === 0) return null;
    const high = this.#rule.window.ns / 1e6;
    return { name: 'Time to the answer', unit: 'ms', low: null, high, points };
  }
}
