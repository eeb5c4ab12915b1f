import type { Clock } from '../../base/clock/clock.ts';
import type { PollRecord } from '../../modbus/service/modbus-polls.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { modbusPoll } from '../../operations/modbus.ts';
import { PollOutlet } from '../ipc/poll-outlet.ts';
import type { BenchCalls } from './bench-calls.ts';

interface PollContext {
  readonly clock: Clock;
  readonly calls: BenchCalls;
}

/**
 * Binds the stream of polls, which the bench thread feeds result by result. Answers how to end all
 * of them.
 */
export const bindPollOperations = (
  dispatcher: Dispatcher,
  { clock, calls }: PollContext,
): (() => void) => {
  const running = new Set<PollOutlet>();
  dispatcher.bindStream(
    modbusPoll,
    ({ arguments: { polls, duration_ms, ...request }, caller }, sink) => {
      const ending = new AbortController();
      const outlet = new PollOutlet({
        sink,
        clock,
        count: polls ?? Number.POSITIVE_INFINITY,
        durationMs: duration_ms ?? null,
      });
      running.add(outlet);
      outlet.attach({
        resume: () => outlet.flush(),
        close: () => {
          running.delete(outlet);
          ending.abort();
        },
      });
      const { signal } = ending;
      const report = (result: unknown): void => outlet.result(result as PollRecord);
      calls.pollModbus(request, { ...caller, signal, report }).then(
        () => outlet.end('shut_down'),
        (thrown: unknown) => {
          outlet.close();
          sink.fail(thrown);
        },
      );
      return outlet;
    },
  );
  return () => {
    for (const outlet of running) outlet.end('shut_down');
  };
};
