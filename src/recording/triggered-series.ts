import type { FileSeries, RowTarget, SortedRows } from './file-series.ts';
import type { PreTrigger } from './pre-trigger.ts';
import type { RecordingTrigger } from './recording-request.ts';
import type { Trigger, TriggerChange } from './trigger.ts';

const nsPerMs = 1e6;
const nsPerUs = 1000;
/** A trigger that comes again is marked at most once in this time. */
const markApartNs = 1e9;

export interface EarlierEvents {
  readonly fromNs: number;
  readonly afterNs: number;
  /** First row of the batch that was neither written nor skipped. */
  readonly row: number;
}

export interface TriggeredSeriesOptions {
  readonly trigger: Trigger;
  readonly settings: RecordingTrigger;
  readonly series: FileSeries;
  readonly startUnixUs: number;
  /** Whether a channel, by its number, is recorded. */
  readonly isRecorded: (channel: number) => boolean;
  readonly readEarlier: (range: EarlierEvents) => PreTrigger;
  /** The recording of a trigger has begun or ended. */
  readonly onChange: () => void;
  /** No other recording follows. */
  readonly onOver: () => void;
}

interface Mark {
  readonly timeNs: number;
  readonly preNs: number;
  readonly text: string;
}

/**
 * Passes on the rows that a trigger selects. What a row has to wait for (events before the
 * trigger, its mark, the end of a file) is done first; a full disk delays it, and the row.
 */
export class TriggeredSeries implements RowTarget {
  gaps = 0;
  readonly #options: TriggeredSeriesOptions;
  /** Rows of the batch before this one belong to the file. */
  #decided = 0;
  /** Rows before this one were evaluated. */
  #evaluated = 0;
  #earlier: PreTrigger | null = null;
  #mark: Mark | null = null;
  #isMarkDue = false;
  #isEnding = false;
  #markedNs = Number.NEGATIVE_INFINITY;
  #unseen: number | null = 0;

  constructor(options: TriggeredSeriesOptions) {
    this.#options = options;
  }

  get isBlocked(): boolean {
    return this.#options.series.isBlocked;
  }

  get isRecording(): boolean {
    return this.#options.trigger.isRecording;
  }

  write(rows: SortedRows, from: number, to: number): number {
    const { series, trigger } = this.#options;
    let row = from;
    for (;;) {
      if (row < this.#decided) row = series.write(rows, row, this.#decided);
      if (row < this.#decided || !this.#act()) return row;
      if (row === to || trigger.isOver) break;
      const end = this.#endOfRun(rows, row, to);
      if (end > row) this.#decided = end;
      else if (!this.#hasToAct) row += 1;
    }
    this.#decided = 0;
    this.#evaluated = 0;
    return to;
  }

  gap(timeNs: number, missed: number | null): boolean {
    if (!this.#act()) return false;
    const { trigger, series } = this.#options;
    trigger.gap();
    if (trigger.isRecording) return series.gap(timeNs, missed);
    this.#unseen = this.#unseen === null || missed === null ? null : this.#unseen + missed;
    return true;
  }

  /** Lets time pass without events. */
  advance(untilNs: number): void {
    const { trigger } = this.#options;
    while (this.#act()) {
      const change = trigger.advance(untilNs);
      if (change !== null) this.#take(change, 0);
      else if (this.#mark && this.#mark.timeNs <= untilNs) this.#isMarkDue = true;
      else return;
    }
  }

  /** The disk accepts more. Returns whether everything is done that rows waited for. */
  resume(): boolean {
    return this.#act();
  }

  /** Nothing follows: a trigger without later events is marked, too. */
  finish(): void {
    this.#isMarkDue = this.#mark !== null;
    this.#act();
  }

  get #hasToAct(): boolean {
    return this.#earlier !== null || this.#isMarkDue || this.#isEnding;
  }

  #endOfRun(rows: SortedRows, from: number, to: number): number {
    let row = from;
    while (row < to && this.#accepts(rows, row)) row += 1;
    return row;
  }

  #accepts({ batch }: SortedRows, row: number): boolean {
    const { trigger, isRecorded } = this.#options;
    const timeNs = batch.timeNs[row] as number;
    if (row >= this.#evaluated) {
      const change = trigger.advance(timeNs);
      if (change !== null) {
        this.#take(change, row);
        return false;
      }
      this.#evaluated = row + 1;
      const own = trigger.row(batch, row);
      if (own !== null) this.#take(own, row);
    }
    if (this.#mark && this.#mark.timeNs <= timeNs) this.#isMarkDue = true;
    if (this.#hasToAct) return false;
    return trigger.isRecording && isRecorded(batch.channel[row] as number);
  }

  #take(change: TriggerChange, row: number): void {
    const { trigger, settings, readEarlier, onChange } = this.#options;
    if (change === 'end') {
      this.#isMarkDue = this.#mark !== null;
      this.#isEnding = true;
      return;
    }
    const timeNs = trigger.firedAtNs;
    const isSoon = timeNs < this.#markedNs + markApartNs;
    if (change === 'again' && (isSoon || this.#mark)) return;
    const unseen = this.#unseenText();
    this.#unseen = 0;
    this.#markedNs = timeNs;
    this.#mark = { timeNs, preNs: 0, text: `Trigger: ${settings.start}${unseen}` };
    if (change === 'again') return;
    if (settings.pre_ms > 0) {
      const fromNs = timeNs - settings.pre_ms * nsPerMs;
      this.#earlier = readEarlier({ fromNs, afterNs: trigger.endedAtNs, row });
    }
    onChange();
  }

  #unseenText(): string {
    return this.#unseen === 0
      ? ''
      : `; ${this.#unseen ?? 'some'} events before it were not checked`;
  }

  /** Does what the next row waits for. Returns false if the disk refuses it. */
  #act(): boolean {
    return this.#writeEarlier() && this.#writeMark() && this.#endRecording();
  }

  #writeEarlier(): boolean {
    const { series, settings } = this.#options;
    const earlier = this.#earlier;
    if (!earlier) return true;
    if (!earlier.write(series)) return false;
    this.#earlier = null;
    this.gaps += earlier.gaps;
    const { timeNs, text } = this.#mark as Mark;
    const preNs = timeNs - earlier.sinceNs(timeNs);
    const reach = `${Math.floor(preNs / nsPerMs)} ms of ${settings.pre_ms} ms before it`;
    this.#mark = { timeNs, preNs, text: `${text}; recorded from ${reach}` };
    return true;
  }

  #writeMark(): boolean {
    if (!this.#isMarkDue) return true;
    const { series, startUnixUs, settings } = this.#options;
    const { timeNs, preNs, text } = this.#mark as Mark;
    const isMarked = series.mark(timeNs, text, {
      time_us: startUnixUs + Math.floor(timeNs / nsPerUs),
      condition: settings.start ?? '',
      pre_us: Math.floor(preNs / nsPerUs),
    });
    if (!isMarked) return false;
    this.#isMarkDue = false;
    this.#mark = null;
    return true;
  }

  #endRecording(): boolean {
    if (!this.#isEnding) return true;
    const { series, trigger, onChange, onOver } = this.#options;
    if (series.hasNumber && !series.endFile()) return false;
    this.#isEnding = false;
    if (trigger.isOver) onOver();
    else onChange();
    return true;
  }
}
