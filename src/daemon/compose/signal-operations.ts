import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { ClientEvents } from '../../bench/client-events.ts';
import { type Caller, type Dispatcher, plainCaller } from '../../operations/dispatcher.ts';
import {
  signalHistory as depth,
  pageBytes,
  pageRange,
  planPage,
  samplePage,
} from '../../operations/limits.ts';
import {
  signalHistory,
  signalLatest,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalWatch,
} from '../../operations/signal.ts';
import { planPageOf, samplePageOf } from '../../signal/service/signal-pages.ts';
import type { SignalService } from '../../signal/service/signal-service.ts';
import { WatchedSampleOutlet } from '../ipc/watched-sample-outlet.ts';
import type { LoaderLink } from '../threads/loader-link.ts';
import type { BenchOffer } from './thread-contracts.ts';

interface SignalContext {
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly events: ClientEvents<Caller>;
  readonly loader: LoaderLink;
  readonly signals: SignalService;
  readonly turns: LoopTurns;
}

/** Binds what concerns signal plans and their samples. */
export const bindSignalOperations = (dispatcher: Dispatcher, context: SignalContext): void => {
  const { clock, bench, events, loader, signals, turns } = context;
  dispatcher
    .bind(signalList, async ({ arguments: request, caller }) => {
      await turns.next(caller.signal);
      return planPageOf(signals, pageRange(request, planPage));
    })
    .bind(signalPlanCreate, ({ arguments: request, caller }) => {
      const { signals: names = null, source_address = null, history = depth.default } = request;
      const { channel, database, message } = request;
      return signals.create(
        { channel, database, message, signals: names, sourceAddress: source_address, history },
        {
          channelOf: async (selector) => {
            const [slot = -1] = (await events.resolve([selector], caller)) ?? [];
            const { record } = await bench.channelReport(String(slot), plainCaller(caller));
            return { slot, bus: record.bus };
          },
          messageOf: async (...named) => (await loader.remote).message(...named),
        },
      );
    })
    .bind(signalPlanDelete, ({ arguments: { plan_id } }) => signals.delete(plan_id))
    .bind(signalLatest, ({ arguments: { plan, signal } }) => signals.latest(plan, signal))
    .bind(signalHistory, async ({ arguments: query, caller }) => {
      await turns.next(caller.signal);
      const { after = 0, limit = samplePage.default } = query;
      return samplePageOf(signals, { ...query, after, limit, maxBytes: pageBytes });
    })
    .bindStream(signalWatch, ({ arguments: query }, sink) => {
      const outlet = new WatchedSampleOutlet({
        sink,
        clock,
        count: query.count ?? Number.POSITIVE_INFINITY,
        durationMs: query.duration_ms ?? null,
      });
      outlet.attach(signals.subscribe(query, outlet));
      return outlet;
    });
};
