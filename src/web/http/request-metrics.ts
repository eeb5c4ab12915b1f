import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { hasHttp, type Operation } from '../../operations/define.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Counter, Histogram } from '../metrics/families.ts';
import type { MetricRegistry } from '../metrics/registry.ts';

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Label of requests that matched no route: console files and unknown paths. */
const unrouted = 'none';
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export const routePatterns = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ http }) => (hasHttp(http) ? [http.path] : []));

/** Counts completed requests by route pattern, never by the path that a client chose. */
export class RequestMetrics {
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #durations: Histogram<'route'>;
  #completed = 0;

  constructor(registry: MetricRegistry, routes: readonly string[]) {
    const patterns = [...routes, unrouted];
    this.#requests = registry.counter({
      name: 'busbar_http_requests_total',
      help: 'Completed HTTP requests since the daemon’s client thread started',
      labels: { method: knownMethods, route: patterns, status: 'open' },
    });
    this.#durations = registry.histogram({
      name: 'busbar_http_request_duration_seconds',
      help: 'Time from receiving a request to completing its response',
      labels: { route: patterns },
      buckets: durationBuckets,
    });
  }

  get count(): number {
    return this.#completed;
  }

  completed(method: string, route: string | null, status: number, durationUs: number): void {
    const pattern = route ?? unrouted;
    this.#completed += 1;
    this.#requests.add(1, { method, route: pattern, status: String(status) });
    this.#durations.observe(durationUs / 1_000_000, { route: pattern });
  }
}

interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly pattern: string | null;
}

interface RequestReports {
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly metrics: RequestMetrics;
}

export class RequestRecord {
  readonly id = randomUUID();
  readonly #reports: RequestReports;
  readonly #line: RequestLine;
  readonly #startedUs: number;
  #isRouted = false;

  constructor(reports: RequestReports, line: RequestLine) {
    this.#reports = reports;
    this.#line = line;
    this.#startedUs = reports.clock.monotonicUs();
  }

  routed(pattern = this.#line.pattern): void {
    const { method, path } = this.#line;
    if (this.#isRouted || method === '-') return;
    this.#isRouted = true;
    const hit = pattern !== null;
    this.#reports.diagnostics.route({ method, path, hit, pattern, requestId: this.id });
  }

  failed(thrown: unknown): BusbarError {
    const error = BusbarError.from(thrown);
    const { diagnostics } = this.#reports;
    this.routed();
    diagnostics.errorDetail({ code: error.code, requestId: this.id });
    if (error.code !== 'internal_error') return error;
    diagnostics.runtimeError(error.cause ?? error);
    return new BusbarError('internal_error');
  }

  completed(status: number): void {
    const { clock, diagnostics, metrics } = this.#reports;
    const { method, path, pattern } = this.#line;
    const durationUs = clock.monotonicUs() - this.#startedUs;
    metrics.completed(method, pattern, status, durationUs);
    diagnostics.request({ method, path, status, durationUs, requestId: this.id });
  }
}
