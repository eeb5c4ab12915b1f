import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { type WireRecord, WireTrace } from '../../modbus/client/wire-trace.ts';

/** How a caller wants a request to be made. */
export interface AttemptOptions {
  /** Further attempts after one that failed. */
  readonly retries?: number;
  readonly trace?: boolean;
}

/** What every answer tells about its attempts. */
export interface AttemptRecord {
  readonly attempts: number;
  readonly trace?: readonly WireRecord[];
}

/** An exception is an answer; these leave open what the unit would have said. */
const unanswered: ReadonlySet<ErrorCode> = new Set([
  'busy',
  'modbus_bad_reply',
  'modbus_timeout',
  'modbus_unreachable',
]);
/** How a request ends that was made; everything else is a refusal or a defect. */
const outcomes: ReadonlySet<ErrorCode> = new Set([...unanswered, 'modbus_exception']);

/** Waits, unless the signal ends it. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = (): void => {
      timer.cancel();
      reject(new BusbarError('operation_cancelled', { details: { reason: 'caller' } }));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });

/** How long a link is left alone that could not be made; asking before that would be for nothing. */
export const waitMs = ({ retry_in_ms: ms }: ErrorDetails): number =>
  typeof ms === 'number' ? ms : 0;

/** Makes a request up to so many times, and tells with its answer or its error how often that was. */
export const attempt = async <Result>(
  { retries = 0, trace: traces = false }: AttemptOptions,
  clock: Clock,
  signal: AbortSignal | undefined,
  make: (trace: WireTrace | undefined) => Promise<Result>,
): Promise<Result & AttemptRecord> => {
  const trace = traces ? new WireTrace() : undefined;
  const account = (attempts: number): AttemptRecord => ({
    attempts,
    ...(trace && { trace: trace.take() }),
  });
  for (let attempts = 1; ; attempts += 1) {
    try {
      const result = await make(trace);
      return { ...result, ...account(attempts) };
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      if (!outcomes.has(error.code)) throw error;
      if (attempts > retries || !unanswered.has(error.code)) {
        const details = { ...error.details, ...account(attempts) };
        throw new BusbarError(error.code, { message: error.message, details, cause: error });
      }
      await pause(clock, waitMs(error.details), signal);
    }
  }
};
