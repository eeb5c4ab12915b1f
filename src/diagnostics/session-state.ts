import { uint16At } from './big-endian.ts';
import { negativeResponse, sid, suppressBit } from './services.ts';
import type { ExchangeTimers } from './uds-exchange.ts';

export const defaultSession = 1;

/** S3 of a server: without requests, it returns to the default session. */
export const s3ServerUs = 5_000_000;

/** Units of the times in responses to DiagnosticSessionControl. */
const p2StarUnitUs = 10_000;
const p2UnitUs = 1_000;

/** Sub-functions of ECUReset that reset nothing. */
const powerShutdowns: ReadonlySet<number> = new Set([4, 5]);

/**
 * Session and security level of a server, as its responses imply them.
 *
 *     input                          session       security level   P2, P2*
 *     50 03 …, or 10 83 and silence  3             0                of the response, else default
 *     51 01, or 11 81 and silence    1             0                default
 *     67 02, or 67 01 with seed 0    same          1                same
 *     S3 over                        1             0                default
 *     channel or link lost           1             0                default
 */
export class SessionState {
  session = defaultSession;
  /** Odd sub-function whose key was accepted; 0 is locked. */
  securityLevel = 0;
  timers: ExchangeTimers;
  /** Time of the next `expire`; Infinity if none. */
  deadlineUs = Number.POSITIVE_INFINITY;
  readonly #defaults: ExchangeTimers;

  constructor(defaults: ExchangeTimers) {
    this.#defaults = defaults;
    this.timers = defaults;
  }

  /** A request is being sent or processed: S3 does not run. */
  began(): void {
    this.deadlineUs = Number.POSITIVE_INFINITY;
  }

  /** A request is over; null without response, be it suppressed or missing. */
  finished(request: Uint8Array, response: Uint8Array | null, nowUs: number): void {
    const isSilent = response === null && ((request[1] ?? 0) & suppressBit) !== 0;
    const isPositive = response !== null && response[0] !== negativeResponse;
    if (isSilent || isPositive) this.#apply(request, response);
    this.active(nowUs);
  }

  /** The server received something, such as TesterPresent, which restarts S3. */
  active(nowUs: number): void {
    this.deadlineUs =
      this.session === defaultSession ? Number.POSITIVE_INFINITY : nowUs + s3ServerUs;
  }

  /** The deadline has passed. */
  expire(nowUs: number): void {
    if (nowUs >= this.deadlineUs) this.reset();
  }

  reset(): void {
    this.#enter(defaultSession, this.#defaults);
    this.deadlineUs = Number.POSITIVE_INFINITY;
  }

  #apply(request: Uint8Array, response: Uint8Array | null): void {
    const subFunction = (request[1] ?? 0) & ~suppressBit;
    switch (request[0]) {
      case sid.session:
        this.#enter(subFunction, this.#timersOf(response));
        return;
      case sid.reset:
        if (!powerShutdowns.has(subFunction)) this.reset();
        return;
      case sid.security:
        this.#unlock(subFunction, response);
    }
  }

  #enter(session: number, timers: ExchangeTimers): void {
    this.session = session;
    this.securityLevel = 0;
    this.timers = timers;
  }

  #unlock(subFunction: number, response: Uint8Array | null): void {
    if (subFunction % 2 === 0) {
      this.securityLevel = subFunction - 1;
      return;
    }
    const seed = response?.subarray(2);
    const isOpen = seed !== undefined && seed.length > 0 && seed.every((byte) => byte === 0);
    if (isOpen) this.securityLevel = subFunction;
  }

  /** Zero is no usable time: such a server leaves it to the client. */
  #timersOf(response: Uint8Array | null): ExchangeTimers {
    if (response === null || response.length < 6) return this.#defaults;
    const p2Us = uint16At(response, 2) * p2UnitUs;
    const p2StarUs = uint16At(response, 4) * p2StarUnitUs;
    return {
      p2Us: p2Us === 0 ? this.#defaults.p2Us : p2Us,
      p2StarUs: p2StarUs === 0 ? this.#defaults.p2StarUs : p2StarUs,
    };
  }
}
