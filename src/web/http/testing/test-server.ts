import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock/clock.ts';
import { SystemClock } from '../../../base/clock/system-clock.ts';
import type { YieldQueue } from '../../../base/clock/yield-queue.ts';
import { ProjectRoot } from '../../../base/files/project-root.ts';
import type { Operation } from '../../../operations/define.ts';
import type { Dispatcher } from '../../../operations/dispatcher.ts';
import { Token } from '../../auth/guard.ts';
import { Diagnostics } from '../../diagnostics/diagnostics.ts';
import { MetricRegistry } from '../../metrics/registry.ts';
import { StaticFiles } from '../../static/static-files.ts';
import { HttpServer, type HttpTimeouts } from '../http-server.ts';
import { RequestMetrics } from '../request-metrics.ts';
import { RawClient } from './raw-client.ts';

interface TestServerOptions {
  readonly operations: readonly Operation[];
  readonly dispatcher: Dispatcher;
  readonly clients?: number;
  readonly timeouts?: HttpTimeouts;
  readonly token?: string;
  readonly turns?: YieldQueue;
  readonly clock?: Clock;
}

interface LogRecord {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A listening HTTP server with one console file, and all its logs and counters. */
export class TestServer {
  readonly server: HttpServer;
  readonly log: LogRecord[] = [];
  /** Called with every log record. */
  onLogged: (record: LogRecord) => void = () => undefined;
  readonly #registry = new MetricRegistry();
  readonly #folder = mkdtempSync(join(tmpdir(), 'busbar-http-'));
  readonly #root: ProjectRoot;
  readonly #metrics: RequestMetrics;
  readonly #clients: RawClient[] = [];
  port = 0;

  private constructor({ token, clock = new SystemClock(), ...options }: TestServerOptions) {
    writeFileSync(join(this.#folder, 'index.html'), '<!doctype html>');
    this.#root = ProjectRoot.open(this.#folder);
    const destination = {
      name: 'memory',
      write: (text: string) => {
        const record = JSON.parse(text);
        this.onLogged(record);
        return this.log.push(record) > 0;
      },
      reopen: () => undefined,
      close: () => undefined,
    };
    const patterns = options.operations.flatMap(({ http }) => ('path' in http ? [http.path] : []));
    this.#metrics = new RequestMetrics(this.#registry, [...new Set(patterns)]);
    this.server = new HttpServer({
      ...options,
      clock,
      files: new StaticFiles(this.#root),
      token: token === undefined ? null : new Token(token),
      diagnostics: new Diagnostics({ clock, level: 'debug', destination }),
      metrics: this.#metrics,
    });
  }

  static async start(options: TestServerOptions): Promise<TestServer> {
    const started = new TestServer(options);
    ({ port: started.port } = await started.server.listen({ host: '127.0.0.1', port: 0 }));
    return started;
  }

  connect(): RawClient {
    const client = new RawClient(this.port);
    this.#clients.push(client);
    return client;
  }

  /** Completed requests, as `METHOD route status`. */
  get counted(): string[] {
    const sample = /^busbar_http_requests_total\{method="(.*)",route="(.*)",status="(.*)"\} (\d+)$/;
    return this.#registry
      .render()
      .split('\n')
      .flatMap((line) => {
        const [, method, route, status, count] = sample.exec(line) ?? [];
        return Array.from({ length: Number(count ?? 0) }, () => `${method} ${route} ${status}`);
      });
  }

  /** Log records of one kind. */
  logged(event: string): LogRecord[] {
    return this.log.filter((record) => record.event === event);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.leave();
    await this.server.close();
    this.#root.close();
    rmSync(this.#folder, { recursive: true });
  }
}
