import type { Clock } from '../../base/clock/clock.ts';
import { type ErrorCode, errorTable } from '../../base/errors/table.ts';
import { type LogLevel, logLevels } from '../../operations/limits.ts';
import type { LogDestination } from './destination.ts';
import { compileScrub, redactedMark, type Scrub } from './secrets.ts';

type RecordLevel = Exclude<LogLevel, 'off'>;

const admits = (kept: LogLevel, level: RecordLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(kept);

interface DiagnosticRecord {
  readonly timeUs: number;
  readonly level: RecordLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const maxText = 1024;
const cutMark = '...[cut]';

const isoMicroseconds = (unixUs: number): string => {
  const milliseconds = new Date(Math.floor(unixUs / 1000)).toISOString().slice(0, -1);
  return `${milliseconds}${String(unixUs % 1000).padStart(3, '0')}Z`;
};

const capped = (text: string): string =>
  text.length <= maxText ? text : text.slice(0, maxText) + cutMark;

/**
 * Escapes everything except printable ASCII: line breaks, terminal control characters and
 * direction marks. A JSON parser restores the original text.
 */
const printable = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const encodeRecord = (record: DiagnosticRecord, scrub: Scrub): string => {
  const time = isoMicroseconds(record.timeUs);
  const head = JSON.stringify({ time, level: record.level, event: record.event });
  // Secrets are removed before the text is cut, since a cut could leave half a secret.
  const fields = JSON.stringify(record.fields, (_key, value: unknown) =>
    typeof value === 'string' ? capped(scrub(value)) : value,
  );
  return printable(fields === '{}' ? head : `${head.slice(0, -1)},${fields.slice(1)}`);
};

interface ErrorOutline {
  readonly class: string;
  readonly code: string | null;
  readonly detail: typeof redactedMark;
  readonly frames: readonly string[];
  readonly cause?: ErrorOutline;
}

const maxFrames = 10;

const maxCauses = 3;

const className = /^[A-Za-z_$][\w$]{0,63}$/;

const errorCode = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const frameLine =
  /^ {4}at (?:async )?(?:(?:new )?([\w$.<>#]{1,80})(?: \[as [\w$]+\])? )?\(?(?:.*[/\\]|node:)?([\w.@$+-]{1,80}:\d+:\d+)\)?$/;

/**
 * The stack starts with the message, whose lines can look like frames, so the message is cut
 * off. If the message changed later, no frame is trusted.
 */
const framesOf = (error: Error): readonly string[] => {
  const { stack, message } = error;
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const start = stack.indexOf(message);
  if (start < 0) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const frame = frameLine.exec(line);
      return frame ? [`${frame[1] ?? '<anonymous>'} ${frame[2]}`] : [];
    })
    .slice(0, maxFrames);
};

const outlineError = (error: Error, causesLeft: number): ErrorOutline => {
  // The bundler prefixes a class that references itself with an underscore.
  const name: unknown = error.constructor?.name.replace(/^_/, '');
  const code: unknown = 'code' in error ? error.code : undefined;
  const nested = causesLeft > 0 && error.cause instanceof Error ? error.cause : undefined;
  return {
    class: typeof name === 'string' && className.test(name) ? name : 'Error',
    code: typeof code === 'string' && errorCode.test(code) ? code : null,
    detail: redactedMark,
    frames: framesOf(error),
    ...(nested && { cause: outlineError(nested, causesLeft - 1) }),
  };
};

export const outlineThrown = (thrown: unknown): ErrorOutline => {
  try {
    if (thrown instanceof Error) return outlineError(thrown, maxCauses);
  } catch {
    return { class: 'unreadable', code: null, detail: redactedMark, frames: [] };
  }
  return { class: typeof thrown, code: null, detail: redactedMark, frames: [] };
};

interface LifecycleEvents {
  readonly starting: { readonly listen: string };
  readonly listening: {
    readonly listen: string;
    readonly web_root: string;
    readonly auth: 'bearer' | 'none';
    readonly log_level: string;
    readonly log_destination: string;
  };
  readonly log_reopened: { readonly log_destination: string };
  readonly stopping: { readonly reason: 'command' | 'daemon_stop' };
  readonly stopped: { readonly uptime_us: number };
}

type LifecycleName = keyof LifecycleEvents;

const fieldOrder: { readonly [N in LifecycleName]: readonly (keyof LifecycleEvents[N])[] } = {
  starting: ['listen'],
  listening: ['listen', 'web_root', 'auth', 'log_level', 'log_destination'],
  log_reopened: ['log_destination'],
  stopping: ['reason'],
  stopped: ['uptime_us'],
};

const lifecycleFields = <N extends LifecycleName>(
  name: N,
  fields: LifecycleEvents[N],
): Record<string, unknown> =>
  Object.fromEntries([['name', name], ...fieldOrder[name].map((key) => [key, fields[key]])]);

/**
 * Path of a request target. The query, the fragment and the authority, which can contain a
 * password, are not logged.
 */
const loggablePath = (target: string): string => {
  const end = target.search(/[?#]/);
  const withoutQuery = end < 0 ? target : target.slice(0, end);
  if (withoutQuery.startsWith('/') || withoutQuery === '*') return withoutQuery;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(.*)$/is.exec(withoutQuery);
  return absolute ? absolute[1] || '/' : redactedMark;
};

interface DiagnosticsOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  readonly destination: LogDestination;
  readonly secrets?: readonly string[];
}

export interface CompletedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationUs: number;
  readonly requestId: string;
}

export interface RouteDecision {
  readonly method: string;
  readonly path: string;
  readonly hit: boolean;
  readonly pattern: string | null;
  readonly requestId?: string;
}

export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly requestId?: string;
}

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

  get destination(): string {
    return this.#destination.name;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /**
   * True if the log accepts records. Reports the number of refused records first, which tests
   * the log.
   */
  isSound(): boolean {
    return this.#unreported === 0 || this.#reportDropped();
  }

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

  startupError(thrown: unknown): void {
    this.#emit('error', 'startup_error', { ...outlineThrown(thrown) });
  }

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
