import { JsonText } from '../../base/json/json-text.ts';
import type { ResultOf } from '../../operations/define.ts';
import type { signalHistory, signalList } from '../../operations/signal.ts';
import type { Sample } from '../../signal/live/sample.ts';
import { writeListPage } from './list-page.ts';
import type { Pause } from './page-queue.ts';
import type { SignalService } from './signal-service.ts';

/** Which samples a page is to tell. */
export interface SampleWish {
  readonly plan: string;
  readonly signal: string;
  readonly after: number;
  readonly limit: number;
}

const pageOf = (list: string, items: string, rest: object): JsonText =>
  new JsonText(Buffer.from(`{"${list}":[${items}],${JSON.stringify(rest).slice(1)}`));

function* withPlan(plan: string, samples: readonly Sample[]): Generator<object> {
  for (const sample of samples) yield { plan_id: plan, ...sample };
}

/** Writes samples of the past, as many as were asked for and an answer has room for. */
export const writeSamplePage = async (
  signals: SignalService,
  { plan, signal, after, limit }: SampleWish,
  pause: Pause,
): Promise<JsonText> => {
  const page = signals.history(plan, signal, after, limit);
  const { text, count } = await writeListPage(withPlan(plan, page.samples), pause);
  const isCut = count < page.samples.length;
  const rest: Omit<ResultOf<typeof signalHistory>, 'samples'> = {
    next_after: isCut ? (page.samples[count - 1]?.sequence ?? after) : page.nextAfter,
    oldest_available: page.oldestAvailable,
    newest_available: page.newestAvailable,
  };
  return pageOf('samples', text, rest);
};

/** Writes some of the plans, as many as were asked for and an answer has room for. */
export const writePlanPage = async (
  signals: SignalService,
  offset: number,
  limit: number,
  pause: Pause,
): Promise<JsonText> => {
  const { plans, missedEvents } = signals.list();
  const wanted = plans.slice(offset, offset + limit).values();
  const records = (function* () {
    for (const plan of wanted) yield signals.record(plan);
  })();
  const { text, count } = await writeListPage(records, pause);
  const rest: Omit<ResultOf<typeof signalList>, 'plans'> = {
    plan_total: plans.length,
    plan_offset: offset,
    plan_next_offset: Math.min(offset + count, plans.length),
    missed_events: missedEvents,
  };
  return pageOf('plans', text, rest);
};
