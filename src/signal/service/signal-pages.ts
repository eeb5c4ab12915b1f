import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { ListPage } from '../../base/json/list-page.ts';
import type { SlicedJson } from '../../base/json/sliced-json.ts';
import type { LivePlan, SamplePage } from '../live/live-plan.ts';
import type { SignalSample } from '../live/sample-record.ts';
import type { SignalHistory, SignalPlanPage } from './signal-records.ts';
import type { SignalService } from './signal-service.ts';

export interface SamplePageQuery {
  readonly plan: string;
  readonly signal: string;
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number;
}

function* recordsOf(signals: SignalService, plans: readonly LivePlan[]): Generator<object> {
  for (const plan of plans) yield signals.record(plan);
}

const sliceSamples = 256;

/**
 * Past samples, limited by the request and the response size. They are decoded as the page is
 * written. If samples are overwritten first, the page ends early, and the next page reports it.
 */
const samplePageOf = (
  signals: SignalService,
  { plan, signal, after, limit, maxBytes }: SamplePageQuery,
): SlicedJson => {
  const sequences: number[] = [];
  const read = (behind: number): SamplePage =>
    signals.history(plan, signal, behind, Math.min(sliceSamples, limit - sequences.length));
  // Read before the first byte, so that the query can still be rejected.
  let page = read(after);
  const items = function* (): Generator<SignalSample> {
    while (page.samples.length > 0) {
      for (const sample of page.samples) {
        sequences.push(sample.sequence);
        yield { plan_id: plan, ...sample };
      }
      if (sequences.length >= limit) return;
      try {
        page = read(page.nextAfter);
      } catch {
        return;
      }
    }
  };
  const rest = (count: number): Omit<SignalHistory, 'samples'> => ({
    next_after: sequences[count - 1] ?? page.nextAfter,
    oldest_available: page.oldestAvailable,
    newest_available: page.newestAvailable,
  });
  return new ListPage({ list: 'samples', maxBytes, items, after: rest });
};

export interface PlanPageQuery {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

const planPageOf = (
  signals: SignalService,
  { offset, limit, maxBytes }: PlanPageQuery,
): SlicedJson => {
  const { plans, missedEvents } = signals.list();
  const rest = (count: number): Omit<SignalPlanPage, 'plans'> => ({
    plan_total: plans.length,
    plan_offset: offset,
    plan_next_offset: Math.min(offset + count, plans.length),
    missed_events: missedEvents,
  });
  const items = () => recordsOf(signals, plans.slice(offset, offset + limit));
  return new ListPage({ list: 'plans', maxBytes, items, after: rest });
};

/**
 * Pages of plans and samples. Each page yields to the event loop, so a hundred pages do not
 * block it.
 */
export class SignalPages {
  readonly #signals: SignalService;
  readonly #turns: YieldQueue;

  constructor(signals: SignalService, turns: YieldQueue) {
    this.#signals = signals;
    this.#turns = turns;
  }

  async plans(query: PlanPageQuery, signal: AbortSignal | undefined): Promise<SlicedJson> {
    await this.#turns.next(signal);
    return planPageOf(this.#signals, query);
  }

  async samples(query: SamplePageQuery, signal: AbortSignal | undefined): Promise<SlicedJson> {
    await this.#turns.next(signal);
    return samplePageOf(this.#signals, query);
  }
}
