import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { maxInspected, type ReaderHub } from '../../broker/reader-hub.ts';
import { wholeRing } from '../../broker/ring-cursor.ts';
import { frm2Channel } from '../../frame/frm2-codec.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { ConditionRun } from '../condition-run.ts';

/** Events of one turn, which take a few milliseconds; other clients are served in between. */
const eventsPerTurn = 4096;

/** How late an event can be in its ring. */
const lateUs = 500_000;

export interface RingFirings {
  readonly fired: number;
  readonly lastFiredUs: number | null;
  readonly sinceUs: number;
  readonly missed: number;
}

export interface RingSource {
  readonly hub: Pick<ReaderHub, 'readHistory' | 'bounds'>;
  readonly turns: Pick<YieldQueue, 'next'>;
}

/**
 * Counts how often a condition fired between two times. Older events in the rings only say what
 * holds at the first of them.
 */
export const countFirings = async (
  { hub, turns }: RingSource,
  run: ConditionRun,
  channels: readonly number[] | null,
  { sinceUs, untilUs }: { readonly sinceUs: number; readonly untilUs: number },
  signal?: AbortSignal,
): Promise<RingFirings> => {
  const batch = new TraceBatch(eventsPerTurn);
  let fired = 0;
  let lastNs: number | null = null;
  let firstNs = Number.POSITIVE_INFINITY;
  let missed = 0;
  const count = (): void => {
    const ns = run.firedAtNs();
    if (ns < 0) return;
    fired += 1;
    lastNs = ns;
  };
  const { newestAvailable: end } = hub.bounds(channels, wholeRing);
  for (let after = 0; after < end; ) {
    await turns.next(signal);
    batch.clear();
    try {
      const page = hub.readHistory({
        channels,
        after,
        limit: Math.min(eventsPerTurn, maxInspected),
        capacity: wholeRing,
        visitor: ({ view }, at) => {
          batch.appendFrm2(view, at, sinceUs, frm2Channel(view, at));
          return true;
        },
      });
      if (page.position <= after) break;
      after = page.position;
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const oldest = error.details.oldest_available;
      if (error.code !== 'cursor_expired' || typeof oldest !== 'number') throw thrown;
      missed += Math.max(0, oldest - 1 - after);
      after = oldest - 1;
      run.gap();
      continue;
    }
    if (batch.count > 0) firstNs = Math.min(firstNs, batch.timeNs[0] as number);
    for (let row = 0; row < batch.count; row++) if (run.row(batch, row)) count();
  }
  while (run.advance((untilUs - lateUs - sinceUs) * 1000)) count();
  // Without events nothing was overwritten either.
  const firstUs = Number.isFinite(firstNs) ? sinceUs + Math.ceil(firstNs / 1000) : sinceUs;
  return {
    fired,
    missed,
    lastFiredUs: lastNs === null ? null : sinceUs + Math.floor(lastNs / 1000),
    sinceUs: Math.min(untilUs, Math.max(sinceUs, firstUs)),
  };
};
