import type { Clock } from '../../base/clock/clock.ts';
import type { EventQueries } from '../../bench/event-queries.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { pageBytes, pageRange } from '../../operations/limits.ts';
import {
  signalHistory,
  signalLatest,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalWatch,
} from '../../operations/signal.ts';
import type { SignalPages } from '../../signal/service/signal-pages.ts';
import type { SignalService } from '../../signal/service/signal-service.ts';
import { WatchedSampleOutlet } from '../ipc/watched-sample-outlet.ts';
import type { LoaderLink } from '../threads/loader-link.ts';

interface SignalContext {
  readonly clock: Clock;
  readonly queries: EventQueries<Caller>;
  readonly loader: LoaderLink;
  readonly signals: SignalService;
  readonly pages: SignalPages;
}

/** Binds what concerns signal plans and their samples. */
export const bindSignalOperations = (dispatcher: Dispatcher, context: SignalContext): void => {
  const { clock, queries, loader, signals, pages } = context;
  dispatcher
    .bind(signalList, ({ arguments: request, caller }) =>
      pages.plans(pageRange(request), caller.signal),
    )
    .bind(signalPlanCreate, ({ arguments: request, caller }) =>
      signals.create(request, {
        channelOf: (selector) => queries.channelOf(selector, caller),
        messageOf: async (...named) => (await loader.remote).message(...named),
      }),
    )
    .bind(signalPlanDelete, ({ arguments: { plan_id } }) => signals.delete(plan_id))
    .bind(signalLatest, ({ arguments: { plan, signal } }) => signals.latest(plan, signal))
    .bind(signalHistory, ({ arguments: query, caller }) =>
      pages.samples({ ...query, maxBytes: pageBytes }, caller.signal),
    )
    .bindStream(signalWatch, ({ arguments: query }, sink) => {
      const outlet = new WatchedSampleOutlet({ sink, clock, end: query });
      outlet.attach(signals.subscribe(query, outlet));
      return outlet;
    });
};
