import type { Clock } from '../../base/clock/clock.ts';
import type { Dispatcher } from '../../operations/dispatcher.ts';
import { modbusPoll } from '../../operations/modbus.ts';
import { PollOutlet } from '../ipc/poll-outlet.ts';
import type { BenchCalls } from './bench-calls.ts';
import type { PollRecord } from './modbus-service.ts';

interface PollContext {
  readonly clock: Clock;
  readonly calls: BenchCalls;
}

/** Binds the stream of polls, which the bench thread feeds result by result. */
export const bindPollOperations = (dispatcher: Dispatcher, { clock, calls }: PollContext): void => {
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
      outlet.attach({ resume: () => outlet.flush(), close: () => ending.abort() });
      const { signal } = ending;
      const report = (result: unknown): void => outlet.result(result as PollRecord);
      calls.pollModbus(request, { ...caller, signal, report }).then(
        () => outlet.end('stopped'),
        (thrown: unknown) => {
          outlet.close();
          sink.fail(thrown);
        },
      );
      return outlet;
    },
  );
};
