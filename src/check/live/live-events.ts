import type { Clock } from '../../base/clock/clock.ts';
import { pause } from '../../base/clock/pause.ts';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { ReaderHub } from '../../broker/reader-hub.ts';
import { wholeRing } from '../../broker/ring-cursor.ts';
import { frm2TimestampUs } from '../../frame/frm2-codec.ts';
import type { RowTarget, SortedRows } from '../../recording/file-series.ts';
import { RecordingSink } from '../../recording/recording-sink.ts';
import type { CheckRun } from '../check-run.ts';

/** How late an event can be in its ring, with the time for sorting. */
const lateMs = 250;
const progressMs = 500;

export interface LiveSource {
  readonly hub: Pick<ReaderHub, 'subscribe' | 'drain' | 'readHistory' | 'bounds'>;
  readonly clock: Clock;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly isOpen: (slot: number) => boolean;
}

export interface LiveChannel {
  readonly slot: number;
  /** Its number in logs, which is its channel in the rows. */
  readonly number: number;
}

export interface LiveSpan {
  readonly channels: readonly LiveChannel[];
  /** Event id to begin after; null for the next event. */
  readonly after: number | null;
  /** Unix time of the rows' time 0. */
  readonly startUnixUs: number;
  readonly seconds: number;
}

export interface LiveControl {
  readonly signal?: AbortSignal | undefined;
  /** Called with the seconds that have passed. */
  readonly report?: ((seconds: number) => void) | undefined;
}

/** Passes rows up to the end to the checks. */
class CheckedRows implements RowTarget {
  readonly isBlocked = false;
  readonly #run: CheckRun;
  readonly #endNs: number;
  isOver = false;

  constructor(run: CheckRun, endNs: number) {
    this.#run = run;
    this.#endNs = endNs;
  }

  write({ batch, ids }: SortedRows, _from: number, to: number): number {
    if (this.isOver) return to;
    let end = 0;
    while (end < to && (batch.timeNs[end] as number) <= this.#endNs) end++;
    this.isOver = end < to;
    this.#run.take(batch, ids, end);
    return to;
  }

  gap(_timeNs: number, missed: number | null): boolean {
    if (!this.isOver) this.#run.gap(missed);
    return true;
  }
}

/** Refuses an event id that no event has yet. */
export const refuseFuture = (
  { hub }: Pick<LiveSource, 'hub'>,
  { channels, after }: Pick<LiveSpan, 'channels' | 'after'>,
): void => {
  if (after === null) return;
  const slots = channels.map(({ slot }) => slot);
  const { newestAvailable: newest } = hub.bounds(slots, wholeRing);
  if (after <= newest) return;
  throw invalidArgument('after', `after is ${after}, ahead of the newest event ${newest}`, {
    reason: 'future_event',
    maximum: newest,
  });
};

/** When the first event comes: now, or the time of the oldest stored one after an id. */
export const startUs = (
  { hub, clock }: LiveSource,
  { channels, after }: Pick<LiveSpan, 'channels' | 'after'>,
): number => {
  let timeUs = clock.unixUs();
  const read = (from: number): void => {
    hub.readHistory({
      channels: channels.map(({ slot }) => slot),
      after: from,
      limit: 1,
      capacity: wholeRing,
      visitor: ({ view }, at) => {
        timeUs = Math.min(timeUs, frm2TimestampUs(view, at));
        return true;
      },
    });
  };
  if (after === null) return timeUs;
  try {
    read(after);
  } catch (thrown) {
    if (BusbarError.from(thrown).code !== 'cursor_expired') throw thrown;
    read(0);
  }
  return timeUs;
};

/**
 * Runs checks over the events of open channels for a time, and ends the run. Events are sorted by
 * time as in a recording, so that both are judged alike.
 *
 *     after           now                        end       end + late
 *       ├─ stored ─────┼─ as they arrive ─────────┼─ late ones ─┤
 */
export const checkLive = async (
  run: CheckRun,
  { channels, after, startUnixUs, seconds }: LiveSpan,
  source: LiveSource,
  { signal, report }: LiveControl = {},
): Promise<void> => {
  const { hub, clock, turns, isOpen } = source;
  const slots = channels.map(({ slot }) => slot);
  const numbers = new Map(channels.map(({ slot, number }) => [slot, number]));
  const endUs = clock.monotonicUs() + seconds * 1e6;
  const endNs = Math.round(endUs + clock.unixOffsetUs - startUnixUs) * 1000;
  const rows = new CheckedRows(run, endNs);
  const failed = new AbortController();
  let failure: BusbarError | undefined;
  const sink = new RecordingSink({
    kind: 'check',
    clock,
    target: rows,
    startUnixUs,
    numberOf: (slot) => numbers.get(slot) ?? 0,
    onBlocked: (defect) => {
      failure = defect;
      failed.abort();
    },
    onEnd: () => {},
  });
  const subscription = hub.subscribe({ channels: slots, after, capacity: wholeRing, sink });
  const stopped = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  try {
    for (let leftUs = endUs - clock.monotonicUs(); leftUs > 0; ) {
      await pause(clock, Math.min(progressMs, leftUs / 1000), stopped);
      leftUs = endUs - clock.monotonicUs();
      if (leftUs > 0) report?.(seconds - leftUs / 1e6);
    }
    report?.(seconds);
    await pause(clock, lateMs, stopped);
    while (!rows.isOver && !hub.drain(subscription)) await turns.next(stopped);
    sink.writeAll();
  } catch (thrown) {
    throw failure ?? thrown;
  } finally {
    subscription.close();
    sink.close();
  }
  if (failure) throw failure;
  // The events after a channel was closed are not known.
  if (!slots.every(isOpen)) run.gap(null);
  run.end(endNs);
};
