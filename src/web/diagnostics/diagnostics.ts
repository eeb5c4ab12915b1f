import type { Clock } from '../../base/clock/clock.ts';
import { type ErrorCode, errorTable } from '../../base/errors/table.ts';
import type { LogLevel } from '../../operations/limits.ts';
import type { LogDestination } from './destination.ts';
import { type LifecycleEvents, type LifecycleName, lifecycleFields } from './lifecycle.ts';
import { admits, encodeRecord, type RecordLevel } from './record.ts';
import { loggablePath } from './request-path.ts';
import { compileScrub, redactedMark, type Scrub } from './secrets.ts';
import { outlineThrown } from './thrown-outline.ts';

interface DiagnosticsOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  readonly destination: LogDestination;
  /** Texts that must not leave through the log whatever happens, such as the start token. */
  readonly secrets?: readonly string[];
}

/** A request whose response has ended. */
export interface CompletedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationUs: number;
  readonly requestId: string;
}

/** What the router made of a request. */
export interface RouteDecision {
  readonly method: string;
  readonly path: string;
  readonly hit: boolean;
  /** The pattern that matched; null on a miss. */
  readonly pattern: string | null;
  readonly requestId?: string;
}

/** An error answer: its code is all that the log can be given. */
export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly requestId?: string;
}

/**
 * The Web service's diagnostic log: one JSON object on one line for each event. Its methods take
 * only what is safe to write; there is no way to hand it a header, a query, a body or a message.
 */
export class Diagnostics {
  readonly level: LogLevel;
  readonly #clock: Clock;
  readonly #destination: LogDestination;
  readonly #scrub: Scrub;
  #dropped = 0;
  #unreported = 0;

  constructor(options: DiagnosticsOptions) {
    this.level = options.level;
    this.#clock = options.clock;
    this.#destination = options.destination;
    this.#scrub = compileScrub(options.secrets ?? []);
  }

  /** `stderr` or an absolute path, as `web status` reports it. */
  get destination(): string {
    return this.#destination.name;
  }

  /** Records lost so far because the destination refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Whether the log takes records. What it had refused is told first, so that a log that can be
   * written again is known to be sound before there is anything else to write.
   */
  isSound(): boolean {
    return this.#unreported === 0 || this.#reportDropped();
  }

  /** Opens a log file anew under its name; throws, and goes on with the old one, where it cannot. */
  reopen(): void {
    try {
      this.#destination.reopen();
    } catch (thrown) {
      this.runtimeError(thrown);
      throw thrown;
    }
    this.lifecycle('log_reopened', { log_destination: this.destination });
  }

  request({ method, path, status, durationUs, requestId }: CompletedRequest): void {
    this.#emit(status >= 400 ? 'error' : 'info', 'request', {
      method,
      path: loggablePath(path),
      status,
      duration_us: Number.isFinite(durationUs) ? Math.max(0, Math.round(durationUs)) : 0,
      request_id: requestId,
    });
  }

  lifecycle<N extends LifecycleName>(name: N, fields: LifecycleEvents[N]): void {
    this.#emit('info', 'lifecycle', lifecycleFields(name, fields));
  }

  route({ method, path, hit, pattern, requestId }: RouteDecision): void {
    const fields = { method, path: loggablePath(path), hit, route: pattern, request_id: requestId };
    this.#emit('debug', 'route', fields);
  }

  errorDetail({ code, requestId }: ErrorAnswer): void {
    const { message } = errorTable[code];
    const fields = { code, message, detail: redactedMark, request_id: requestId };
    this.#emit('debug', 'error_detail', fields);
  }

  /** The Web service could not start. */
  startupError(thrown: unknown): void {
    this.#emit('error', 'startup_error', { ...outlineThrown(thrown) });
  }

  /** Something failed while the Web service was running, outside an orderly error answer. */
  runtimeError(thrown: unknown): void {
    this.#emit('error', 'runtime_error', { ...outlineThrown(thrown) });
  }

  close(): void {
    if (this.#unreported > 0) this.#reportDropped();
    this.#destination.close();
  }

  #emit(level: RecordLevel, event: string, fields: Readonly<Record<string, unknown>>): void {
    if (!admits(this.level, level)) return;
    if (this.isSound() && this.#write(level, event, fields)) return;
    this.#dropped++;
    this.#unreported++;
  }

  #reportDropped(): boolean {
    const written = this.#write('error', 'dropped', { count: this.#unreported });
    if (written) this.#unreported = 0;
    return written;
  }

  #write(level: RecordLevel, event: string, fields: Readonly<Record<string, unknown>>): boolean {
    const record = { timeUs: this.#clock.unixUs(), level, event, fields };
    return this.#destination.write(encodeRecord(record, this.#scrub));
  }
}
