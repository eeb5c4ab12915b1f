import type { Clock } from '../../base/clock/clock.ts';
import { pause } from '../../base/clock/pause.ts';
import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { WireTrace } from '../client/wire-trace.ts';
import type { AttemptRecord } from './request-record.ts';

export interface AttemptOptions {
  readonly retries: number;
  readonly trace: boolean;
}

/** An exception is a response. With these errors, no response is known. */
const unanswered: ReadonlySet<ErrorCode> = new Set([
  'busy',
  'modbus_bad_reply',
  'modbus_timeout',
  'modbus_unreachable',
]);
/** Errors of a request that was sent. All others are refusals or defects. */
const outcomes: ReadonlySet<ErrorCode> = new Set([...unanswered, 'modbus_exception']);

const waitMs = ({ retry_in_ms: ms }: ErrorDetails): number => (typeof ms === 'number' ? ms : 0);

interface AttemptsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
  readonly mayPass: (error: BusbarError) => boolean;
}

export class Attempts {
  made = 0;
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  async run<Result>(make: () => Promise<Result>): Promise<Result> {
    const { clock, signal, retries, mayPass } = this.#options;
    let hasWaited = false;
    for (;;) {
      this.made += 1;
      try {
        return await make();
      } catch (thrown) {
        const error = BusbarError.from(thrown);
        const ms = waitMs(error.details);
        // A refusal during back-off is not an attempt.
        const wasTried: boolean = retries === 0 || ms === 0 || hasWaited;
        if (!wasTried) this.made -= 1;
        if (this.made > retries || !mayPass(error)) throw error;
        hasWaited = !wasTried;
        if (ms > 0) await pause(clock, ms, signal);
      }
    }
  }
}

export const attempt = async <Result>(
  { retries, trace: traces }: AttemptOptions,
  clock: Clock,
  signal: AbortSignal | undefined,
  make: (trace: WireTrace | undefined) => Promise<Result>,
): Promise<Result & AttemptRecord> => {
  const trace = traces ? new WireTrace() : undefined;
  const mayPass = ({ code }: BusbarError): boolean => unanswered.has(code);
  const attempts = new Attempts({ clock, signal, retries, mayPass });
  const account = (): AttemptRecord => ({
    attempts: attempts.made,
    ...(trace && { trace: trace.take() }),
  });
  try {
    const result = await attempts.run(() => make(trace));
    return { ...result, ...account() };
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (!outcomes.has(error.code)) throw error;
    throw error.with({ details: { ...error.details, ...account() } });
  }
};
