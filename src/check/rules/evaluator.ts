import { conditionError } from '../../condition/scanner.ts';
import { channelText } from '../../trace/channel-key.ts';
import type { TraceBatch } from '../../trace/trace-batch.ts';
import type { Check } from '../check.ts';
import type { CheckFigure, CheckPlot, CheckResult } from '../check-record.ts';
import type { EventHistory } from '../event-history.ts';
import { Findings } from '../findings.ts';

/** The next moment at which waiting ends without an event. */
export class Deadline {
  ns = Number.POSITIVE_INFINITY;

  plan(ns: number): void {
    if (ns < this.ns) this.ns = ns;
  }
}

/** What evaluators share in a run. */
export interface RunParts {
  readonly history: EventHistory;
  readonly deadline: Deadline;
  /** A check that matches on several channels is not judged; otherwise it ends the run. */
  readonly leavesAmbiguous: boolean;
}

/** Takes frames that concern a check. Numbers of events are those of `EventHistory`. */
export interface FrameHandler {
  frame(batch: TraceBatch, row: number, timeNs: number, number: number, key: number): void;
  /** Takes a J1939 payload that is longer than a frame, at the event that completes it. */
  long?(payload: Uint8Array, timeNs: number, number: number, key: number): void;
}

const severalChannels = (keys: readonly number[]): string =>
  `matches on several channels: ${keys.map(channelText).join(', ')}; add on and a channel`;

/** Judges one check. */
export abstract class Evaluator {
  readonly check: Check;
  protected readonly findings: Findings;
  /** Key of the channel on which it matched. */
  #key: number | null = null;
  readonly #leavesAmbiguous: boolean;

  constructor(check: Check, { history, leavesAmbiguous }: RunParts) {
    this.check = check;
    this.#leavesAmbiguous = leavesAmbiguous;
    this.findings = new Findings(history);
  }

  /** Frames of its messages that are found on a channel; a check is about one channel. */
  claim(key: number): void {
    if (this.#key === null) this.#key = key;
    else if (this.#key !== key) this.refuseSeveral([this.#key, key]);
  }

  /** It matches on several channels. */
  refuseSeveral(keys: readonly number[]): void {
    const reason = severalChannels(keys);
    if (this.#leavesAmbiguous) {
      this.findings.abandon(`It ${reason}`);
      return;
    }
    const { field, text } = this.check;
    throw conditionError(field, text.length, 'on and a channel', `${text} ${reason}`);
  }

  /** Events are missing. */
  gap(_timeNs: number, _number: number, _missed: number | null): void {
    this.findings.gap();
  }

  /** Ends waiting of which the deadline is before a time, and plans the next end. */
  expire(_nowNs: number, _number: number): void {}

  /** No more events. `timeNs` is when observation ended. */
  end(_timeNs: number, _number: number): void {}

  cut(isEnd: boolean): void {
    this.findings.cut(isEnd);
  }

  get result(): CheckResult {
    const { id, text } = this.check;
    const { figures, plot, unobserved } = this;
    return this.findings.result({ id, check: text }, figures, plot, unobserved);
  }

  protected abstract get figures(): readonly CheckFigure[];
  /** Why nothing was observed. */
  protected abstract get unobserved(): string;

  protected get plot(): CheckPlot | null {
    return null;
  }
}
