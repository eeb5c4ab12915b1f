import type {
  CheckFigure,
  CheckPlot,
  CheckResult,
  CheckViolation,
  Verdict,
} from './check-record.ts';
import { EventHistory } from './event-history.ts';

const maxListed = 10;

/** No event is the cause. */
export const noEvent = 0;

interface Listed {
  readonly timeNs: number;
  /** Number of the event that is the cause; `noEvent` if there is none, or it is too long ago. */
  readonly event: number;
  /** Number of the event in the middle of the excerpt. */
  readonly middle: number;
  readonly key: number | null;
  readonly message: string;
}

/** What a check has found up to now. */
export class Findings {
  readonly #history: EventHistory;
  readonly #listed: Listed[] = [];
  readonly #violations: CheckViolation[] = [];
  total = 0;
  /** What was judged: frames, intervals, seconds. */
  observed = 0;
  #gaps = 0;
  #unjudged: string | null = null;
  #abandoned: string | null = null;

  constructor(history: EventHistory) {
    this.#history = history;
  }

  /**
   * Counts a violation. `message` is called only for those that are listed. The excerpt is around
   * the event, or around `number` if there is none or it is too long ago.
   */
  violate(
    timeNs: number,
    event: number,
    number: number,
    key: number | null,
    message: () => string,
  ): void {
    this.total += 1;
    if (this.total > maxListed) return;
    const isNear = event !== noEvent && number - event < EventHistory.reachBack;
    const middle = isNear ? event : number;
    const known = isNear || !this.#history.hasIds ? event : noEvent;
    this.#listed.push({ timeNs, event: known, middle, key, message: message() });
  }

  gap(): void {
    this.#gaps += 1;
  }

  /** A reason for which the check cannot pass, although nothing violates it. */
  leaveOpen(reason: string): void {
    this.#unjudged ??= reason;
  }

  /** The check means nothing, regardless of what was found. */
  abandon(reason: string): void {
    this.#abandoned ??= reason;
    this.#listed.length = 0;
  }

  /** Cuts excerpts that are complete, or all of them at the end. */
  cut(isEnd: boolean): void {
    const history = this.#history;
    while (this.#listed.length > 0) {
      const next = this.#listed[0] as Listed;
      if (!isEnd && next.middle + EventHistory.reach > history.last) return;
      this.#listed.shift();
      this.#violations.push({
        time_us: Math.floor(next.timeNs / 1000),
        event: next.event === noEvent ? null : history.eventAt(next.event),
        message: next.message,
        excerpt: history.excerpt(next.middle, next.key, next.middle === next.event),
      });
    }
  }

  result(
    head: { readonly id: string; readonly check: string },
    figures: readonly CheckFigure[],
    plot: CheckPlot | null,
    unobserved: string,
  ): CheckResult {
    if (this.#abandoned !== null) {
      const reason = this.#abandoned;
      const nothing = { figures: [], violation_total: 0, violations: [], plot: null };
      return { ...head, verdict: 'not_observed', reason, ...nothing };
    }
    const verdict = this.#verdict();
    const [first] = this.#violations;
    const reasons: Readonly<Record<Verdict, string | null>> = {
      passed: null,
      failed: first === undefined ? null : this.#failure(first),
      not_observed: this.#openReasons(unobserved),
    };
    return {
      ...head,
      verdict,
      reason: reasons[verdict],
      figures,
      violation_total: this.total,
      violations: this.#violations,
      plot,
    };
  }

  #verdict(): Verdict {
    if (this.total > 0) return 'failed';
    const isOpen = this.observed === 0 || this.#gaps > 0 || this.#unjudged !== null;
    return isOpen ? 'not_observed' : 'passed';
  }

  #failure({ message }: CheckViolation): string {
    return this.total === 1 ? message : `${message}, and ${this.total - 1} more`;
  }

  #openReasons(unobserved: string): string {
    const seen = this.observed === 0 ? unobserved : null;
    const reasons = [this.#unjudged, seen, this.#gaps > 0 ? this.#gapText() : null];
    return reasons.filter((reason) => reason !== null).join('; ');
  }

  #gapText(): string {
    return this.#gaps === 1 ? 'events are missing' : `events are missing in ${this.#gaps} places`;
  }
}
