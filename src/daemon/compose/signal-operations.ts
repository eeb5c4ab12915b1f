import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import { type Dispatcher, plainCaller } from '../../operations/dispatcher.ts';
import { signalHistory as depth, planPage, samplePage } from '../../operations/limits.ts';
import {
  signalHistory,
  signalLatest,
  signalList,
  signalPlanCreate,
  signalPlanDelete,
  signalWatch,
} from '../../operations/signal.ts';
import { SampleOutlet } from '../ipc/sample-outlet.ts';
import type { ClientEvents } from './client-events.ts';
import type { LoaderLink } from './loader-link.ts';
import { turnOf } from './page-turn.ts';
import { planPageOf, samplePageOf } from './signal-pages.ts';
import type { SignalService } from './signal-service.ts';
import type { BenchOffer } from './thread-contracts.ts';

interface SignalContext {
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly events: ClientEvents;
  readonly loader: LoaderLink;
  readonly signals: SignalService;
  readonly turns: LoopTurns;
}

/** Binds what concerns signal plans and their samples. */
export const bindSignalOperations = (dispatcher: Dispatcher, context: SignalContext): void => {
  const { clock, bench, events, loader, signals, turns } = context;
  dispatcher
    .bind(signalList, async ({ arguments: { offset, limit }, caller }) => {
      await turnOf(caller, turns);
      return planPageOf(signals, offset ?? 0, limit ?? planPage.default);
    })
    .bind(signalPlanCreate, async ({ arguments: wish, caller }) => {
      // Before anything is looked up: without the Web service there is nothing to say about it.
      signals.requireRunning();
      const [slot = -1] = (await events.resolve([wish.channel], caller)) ?? [];
      const { record } = await bench.channelReport(String(slot), plainCaller(caller));
      if (record.bus === 'lin') {
        throw invalidArgument(
          'channel',
          'Databases describe CAN messages, and this channel is LIN',
          {
            reason: 'not_on_bus',
            channel: wish.channel,
          },
        );
      }
      const { database, message, signals: names = null } = wish;
      const found = await (await loader.remote).message(database, message, names);
      return signals.create({
        channel: wish.channel,
        slot,
        database,
        found,
        sourceAddress: wish.source_address ?? null,
        history: wish.history ?? depth.default,
      });
    })
    .bind(signalPlanDelete, ({ arguments: { plan_id } }) => signals.delete(plan_id))
    .bind(signalLatest, ({ arguments: { plan, signal } }) => signals.latest(plan, signal))
    .bind(signalHistory, async ({ arguments: query, caller }) => {
      await turnOf(caller, turns);
      const { after = 0, limit = samplePage.default } = query;
      return samplePageOf(signals, { ...query, after, limit });
    })
    .bindStream(signalWatch, ({ arguments: query }, sink) => {
      const outlet = new SampleOutlet({
        sink,
        clock,
        count: query.count ?? Number.POSITIVE_INFINITY,
        durationMs: query.duration_ms ?? null,
      });
      outlet.attach(signals.subscribe(query, outlet));
      return outlet;
    });
};
