import { channelKeyAt } from '../trace/channel-key.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import type { TraceReader, TraceWriter } from '../trace/trace-format.ts';
import { gapRemark, type TraceGap } from '../trace/trace-gap.ts';
import type { CutCounts } from '../trace/trace-records.ts';
import { eventsPerBatch, type TraceProgress } from '../trace/trace-summary.ts';
import { type ConditionRun, maxDisorderNs } from './condition-run.ts';

/**
 * Time of the events as conditions see it: it never falls, because events that are slightly late
 * count as of now. Where the clock was set back, another part of the trace begins.
 */
class TraceTime {
  part = 0;
  nowNs = Number.NEGATIVE_INFINITY;

  moveTo(timeNs: number): void {
    if (timeNs < this.nowNs - maxDisorderNs) {
      this.part += 1;
      this.nowNs = timeNs;
    } else if (timeNs > this.nowNs) this.nowNs = timeNs;
  }
}

/** Entries that are dropped together. */
const droppedTogether = 64;

/** Windows in order of time. They are few: those near the reader that follows, merged. */
class Windows {
  readonly #parts: number[] = [];
  readonly #fromNs: number[] = [];
  readonly #untilNs: number[] = [];
  #first = 0;

  add(part: number, fromNs: number, untilNs: number): void {
    const last = this.#parts.length - 1;
    const isSamePart = last >= this.#first && this.#parts[last] === part;
    if (isSamePart && fromNs <= (this.#untilNs[last] as number)) {
      if (untilNs > (this.#untilNs[last] as number)) this.#untilNs[last] = untilNs;
      return;
    }
    this.#parts.push(part);
    this.#fromNs.push(fromNs);
    this.#untilNs.push(untilNs);
  }

  /** Whether a time is in a window. Windows before it are dropped. */
  takes(part: number, nowNs: number): boolean {
    const end = this.#parts.length;
    while (this.#first < end && this.#isBefore(this.#first, part, nowNs)) this.#first += 1;
    if (this.#first >= droppedTogether) this.#drop();
    const first = this.#first;
    return this.#parts[first] === part && nowNs >= (this.#fromNs[first] as number);
  }

  #isBefore(window: number, part: number, nowNs: number): boolean {
    const own = this.#parts[window] as number;
    return own < part || (own === part && (this.#untilNs[window] as number) < nowNs);
  }

  #drop(): void {
    for (const column of [this.#parts, this.#fromNs, this.#untilNs]) column.splice(0, this.#first);
    this.#first = 0;
  }
}

export interface CutReach {
  readonly beforeNs: number;
  readonly afterNs: number;
}

/** Reads ahead of the reader that copies, and finds the windows around what a condition says. */
class WindowFinder {
  readonly windows = new Windows();
  readonly channels = new Set<number>();
  readonly #reader: TraceReader;
  readonly #run: ConditionRun;
  readonly #reach: CutReach;
  readonly #batch = new TraceBatch(eventsPerBatch);
  readonly #time = new TraceTime();
  #row = 0;
  #gap = 0;
  #lastKey = -1;
  #holds = false;
  #hasMore = true;
  read = 0;
  fired = 0;

  constructor(reader: TraceReader, run: ConditionRun, reach: CutReach) {
    this.#reader = reader;
    this.#run = run;
    this.#reach = reach;
  }

  get isOver(): boolean {
    return !this.#hasMore && this.#row === this.#batch.count;
  }

  /**
   * Takes events until those up to a time are known. Returns false after a batch, where it has
   * to be called again.
   */
  search(part: number, untilNs: number): boolean {
    const time = this.#time;
    while (time.part < part || (time.part === part && time.nowNs <= untilNs)) {
      if (this.#row === this.#batch.count) {
        this.#takeGaps();
        if (!this.#hasMore) return true;
        this.#hasMore = this.#reader.read(this.#batch);
        this.#row = 0;
        this.#gap = 0;
        return false;
      }
      this.#takeGaps();
      this.#takeRow(this.#row);
      this.#row += 1;
    }
    return true;
  }

  #takeGaps(): void {
    const { gaps } = this.#batch;
    for (let gap = gaps[this.#gap]; gap && gap.row <= this.#row; gap = gaps[++this.#gap]) {
      this.#time.moveTo(gap.timeNs);
      this.#run.gap(this.#time.nowNs);
      this.#holds = false;
    }
  }

  #takeRow(row: number): void {
    const batch = this.#batch;
    const run = this.#run;
    const time = this.#time;
    this.read += 1;
    const key = channelKeyAt(batch, row);
    if (key !== this.#lastKey) {
      this.channels.add(key);
      this.#lastKey = key;
    }
    const { part } = time;
    time.moveTo(batch.timeNs[row] as number);
    if (time.part !== part) this.#holds = false;
    // Between two events, only the end of a silence changes anything.
    while (run.nextDeadlineNs <= time.nowNs) {
      const deadlineNs = run.nextDeadlineNs;
      this.#note(run.advance(deadlineNs), deadlineNs);
    }
    this.#note(run.row(batch, row), time.nowNs);
  }

  #note(isFired: boolean, nowNs: number): void {
    const { beforeNs, afterNs } = this.#reach;
    const held = this.#holds;
    this.#holds = this.#run.holds();
    if (isFired) this.fired += 1;
    if (!isFired && !held && !this.#holds) return;
    this.windows.add(this.#time.part, nowNs - beforeNs, nowNs + afterNs);
  }
}

/** Copies the events in windows, and marks where events were omitted between them. */
class WindowCopy {
  readonly #writer: TraceWriter;
  readonly #marksCuts: boolean;
  #from = -1;
  #omitted = 0;
  #missed: number | null = 0;
  kept = 0;
  excerpts = 0;

  constructor(writer: TraceWriter, marksCuts: boolean) {
    this.#writer = writer;
    this.#marksCuts = marksCuts;
  }

  keep(batch: TraceBatch, row: number): void {
    if (this.#from < 0) this.#begin(batch, row);
    this.kept += 1;
  }

  omit(batch: TraceBatch, row: number): void {
    this.flush(batch, row);
    this.#omitted += 1;
    // Nothing is missing before the first excerpt.
    if (this.kept === 0) this.#missed = 0;
  }

  gap(batch: TraceBatch, { row, missed }: TraceGap): void {
    this.flush(batch, row);
    this.#missed = missed === null || this.#missed === null ? null : this.#missed + missed;
  }

  /** Writes the events up to a row. */
  flush(batch: TraceBatch, row: number): void {
    if (this.#from >= 0 && this.#from < row) this.#writer.write(batch, this.#from, row);
    this.#from = -1;
  }

  end(timeNs: number): void {
    if (this.kept > 0 && this.#omitted === 0) this.#mark(timeNs);
    this.#writer.end();
  }

  #begin(batch: TraceBatch, row: number): void {
    this.#from = row;
    if (this.kept === 0 || this.#omitted > 0) this.excerpts += 1;
    this.#mark(batch.timeNs[row] as number);
  }

  #mark(timeNs: number): void {
    const omitted = this.#marksCuts && this.kept > 0 ? this.#omitted : 0;
    const missing = this.#missed === null ? null : this.#missed + omitted;
    if (missing !== 0) this.#writer.note(timeNs, gapRemark(missing));
    this.#omitted = 0;
    this.#missed = 0;
  }
}

export interface CutOptions extends CutReach {
  /** Two readers of one trace: the first reads ahead by the time before an event. */
  readonly ahead: TraceReader;
  readonly reader: TraceReader;
  readonly writer: TraceWriter;
  readonly run: ConditionRun;
  /** Whether events that were omitted between two excerpts are marked as missing. */
  readonly marksCuts: boolean;
}

export interface CutResult extends CutCounts {
  /** Keys of the channels with events. */
  readonly channels: ReadonlySet<number>;
}

/**
 * Keeps the events near those at which a condition fires, and while it holds. The trace is read
 * twice at the same time, so memory does not depend on the time before an event.
 *
 *     copied          now ◀── before ──▶ read ahead
 *     ───[excerpt]─────│──[excerpt]───────│───────
 */
export const cutTrace = async (
  { ahead, reader, writer, run, marksCuts, beforeNs, afterNs }: CutOptions,
  onProgress: TraceProgress = () => undefined,
): Promise<CutResult> => {
  const finder = new WindowFinder(ahead, run, { beforeNs, afterNs });
  const copy = new WindowCopy(writer, marksCuts);
  const time = new TraceTime();
  const batch = new TraceBatch(eventsPerBatch);
  const progress = (): void | Promise<void> =>
    onProgress(Math.floor((ahead.position + reader.position) / 2));
  let read = 0;
  let isOver = false;
  while (!isOver) {
    isOver = !reader.read(batch);
    let gaps = 0;
    const takeGaps = (row: number): void => {
      for (let gap = batch.gaps[gaps]; gap && gap.row <= row; gap = batch.gaps[++gaps]) {
        time.moveTo(gap.timeNs);
        copy.gap(batch, gap);
      }
    };
    let row = 0;
    for (; row < batch.count; row++) {
      takeGaps(row);
      time.moveTo(batch.timeNs[row] as number);
      while (!finder.search(time.part, time.nowNs + beforeNs)) await progress();
      // The file grew after it was read to its end.
      isOver ||= finder.isOver && read === finder.read;
      if (read === finder.read) break;
      read += 1;
      if (finder.windows.takes(time.part, time.nowNs)) copy.keep(batch, row);
      else copy.omit(batch, row);
    }
    copy.flush(batch, row);
    takeGaps(row);
    await progress();
  }
  copy.end(time.nowNs);
  const unwritten = { ...writer.unwritten };
  const lost = Object.values(unwritten).reduce((sum, count) => sum + count, 0);
  return {
    read,
    fired: finder.fired,
    excerpts: copy.excerpts,
    written: copy.kept - lost,
    cut: read - copy.kept,
    unwritten,
    clamped: writer.clamped ?? 0,
    channels: finder.channels,
  };
};
