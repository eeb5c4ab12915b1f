import type { Clock } from '../../base/clock/clock.ts';
import { pause } from '../../base/clock/pause.ts';
import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import type { ErrorCode } from '../../base/errors/table.ts';
import { WireTrace } from '../client/wire-trace.ts';
import type { AttemptRecord } from './request-record.ts';

/** How a caller wants a request to be made. */
export interface AttemptOptions {
  /** Further attempts after one that failed. */
  readonly retries: number;
  readonly trace: boolean;
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

/** How long a link is left alone that could not be made; until then requests are not even tried. */
const waitMs = ({ retry_in_ms: ms }: ErrorDetails): number => (typeof ms === 'number' ? ms : 0);

interface AttemptsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
  /** Failures that another attempt may not meet. */
  readonly mayPass: (error: BusbarError) => boolean;
}

/** Makes something up to so many times. */
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
        // What was refused only because the link is left alone was no attempt.
        const wasTried: boolean = retries === 0 || ms === 0 || hasWaited;
        if (!wasTried) this.made -= 1;
        if (this.made > retries || !mayPass(error)) throw error;
        hasWaited = !wasTried;
        if (ms > 0) await pause(clock, ms, signal);
      }
    }
  }
}

/** Makes a request up to so many times, and tells with its answer or its error how often that was. */
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
