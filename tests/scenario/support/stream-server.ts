import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ProjectRoot } from '../../../src/base/files/project-root.ts';
import { HubBench } from '../../../src/broker/testing/hub-bench.ts';
import { Dispatcher } from '../../../src/operations/dispatcher.ts';
import { messageStream, messageWs } from '../../../src/operations/message.ts';
import { Diagnostics } from '../../../src/web/diagnostics/diagnostics.ts';
import { EventStreams } from '../../../src/web/http/event-streams.ts';
import { HttpServer } from '../../../src/web/http/http-server.ts';
import { RequestMetrics } from '../../../src/web/http/request-metrics.ts';
import { MetricRegistry } from '../../../src/web/metrics/registry.ts';
import {
  type EventSource,
  eventStream,
  subscribeEvents,
} from '../../../src/web/sse/event-stream.ts';
import { StaticFiles } from '../../../src/web/static/static-files.ts';

const operations = [messageStream, messageWs];
const silence = {
  name: 'nowhere',
  write: () => true,
  reopen: () => undefined,
  close: () => undefined,
};

/** The event streams inside the test's own process, with time controlled by the test. */
export class StreamServer {
  readonly bench = new HubBench();
  readonly server: HttpServer;
  /** Looking up channels waits for this promise. */
  lookUp: () => Promise<readonly number[] | null> = async () => null;
  port = 0;

  private constructor(root: ProjectRoot) {
    const { clock, hub } = this.bench;
    const events: EventSource = {
      resolve: () => this.lookUp(),
      subscribe: (options) => hub.subscribe(options),
      selectorOf: (slot) => `SIM00001/${slot}`,
    };
    const streams = new EventStreams({
      source: {
        sse: [eventStream(events)],
        subscribeFrames: (...wanted) => subscribeEvents(events, ...wanted),
      },
      clock,
      epoch: 1,
      capacity: 1000,
      limits: { sse: 32, websocket: 32 },
    });
    this.server = new HttpServer({
      operations,
      dispatcher: new Dispatcher(operations),
      files: new StaticFiles(root),
      token: null,
      diagnostics: new Diagnostics({ clock, level: 'off', destination: silence }),
      metrics: new RequestMetrics(new MetricRegistry(), []),
      streams,
      clock,
    });
  }

  static async start(): Promise<StreamServer> {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-test-'));
    const root = ProjectRoot.open(folder);
    const started = new StreamServer(root);
    ({ port: started.port } = await started.server.listen({ host: '127.0.0.1', port: 0 }));
    onTestFinished(async () => {
      const closed = started.server.close();
      started.advance(1);
      await closed;
      root.close();
      rmSync(folder, { recursive: true });
    });
    return started;
  }

  advance(seconds: number): void {
    this.bench.clock.advanceUs(seconds * 1_000_000);
  }
}
