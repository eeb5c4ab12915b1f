import type { SlicedJson } from '../../base/json/sliced-json.ts';
import type { ResultOf } from '../../operations/define.ts';
import type { signalHistory, signalList } from '../../operations/signal.ts';
import type { LivePlan } from '../../signal/live/live-plan.ts';
import type { Sample } from '../../signal/live/sample.ts';
import { ListPage } from './list-page.ts';
import type { SignalService } from './signal-service.ts';

/** Which samples a page is to tell. */
export interface SampleWish {
  readonly plan: string;
  readonly signal: string;
  readonly after: number;
  readonly limit: number;
}

function* samplesOf(plan: string, samples: readonly Sample[]): Generator<object> {
  for (const sample of samples) yield { plan_id: plan, ...sample };
}

function* recordsOf(signals: SignalService, plans: readonly LivePlan[]): Generator<object> {
  for (const plan of plans) yield signals.record(plan);
}

/** Samples of the past, as many as were asked for and an answer has room for. */
export const samplePageOf = (
  signals: SignalService,
  { plan, signal, after, limit }: SampleWish,
): SlicedJson => {
  const { samples, ...page } = signals.history(plan, signal, after, limit);
  const rest = (count: number): Omit<ResultOf<typeof signalHistory>, 'samples'> => ({
    next_after: count < samples.length ? (samples[count - 1]?.sequence ?? after) : page.nextAfter,
    oldest_available: page.oldestAvailable,
    newest_available: page.newestAvailable,
  });
  return new ListPage({ list: 'samples', items: samplesOf(plan, samples), rest });
};

/** Some of the plans, as many as were asked for and an answer has room for. */
export const planPageOf = (signals: SignalService, offset: number, limit: number): SlicedJson => {
  const { plans, missedEvents } = signals.list();
  const rest = (count: number): Omit<ResultOf<typeof signalList>, 'plans'> => ({
    plan_total: plans.length,
    plan_offset: offset,
    plan_next_offset: Math.min(offset + count, plans.length),
    missed_events: missedEvents,
  });
  const items = recordsOf(signals, plans.slice(offset, offset + limit));
  return new ListPage({ list: 'plans', items, rest });
};
