import type { Clock } from '../../base/clock/clock.ts';
import { keptText } from '../../base/json/json-text.ts';
import { product } from '../../base/product.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import type { EventQueries } from '../../bench/event-queries.ts';
import type { PluginGuard } from '../../gateway/plugins/plugin-guard.ts';
import { versionRecord } from '../../link/version-record.ts';
import { daemonStatus, daemonStop } from '../../operations/daemon.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { health } from '../../operations/health.ts';
import { metrics } from '../../operations/metrics.ts';
import { operationList, operationShow } from '../../operations/operation.ts';
import { operations } from '../../operations/registry.ts';
import { describeCommands, describeNamed } from '../../operations/render/describe.ts';
import { renderOpenApi } from '../../operations/render/openapi.ts';
import { capabilities, info, openapi } from '../../operations/service.ts';
import { stoppedDaemonStatus } from '../../operations/stopped-records.ts';
import { checkExecutable, execute } from '../../operations/version.ts';
import { webStart, webStatus, webStop } from '../../operations/web.ts';
import type { RequestMetrics } from '../../web/http/request-metrics.ts';
import type { RouteMap } from '../../web/http/route-map.ts';
import { serviceCapabilities } from '../../web/service-capabilities.ts';
import { webConfiguration } from '../../web/web-configuration.ts';
import type { WebService } from '../../web/web-service.ts';
import type { BenchReports } from '../health/bench-reports.ts';
import type { DaemonMetrics } from '../health/daemon-metrics.ts';
import type { GatewayMetrics } from '../health/gateway-metrics.ts';
import { renderMetrics } from '../health/render-metrics.ts';
import { serviceHealth } from '../health/service-health.ts';
import { runningStatus, serviceInfo } from '../health/service-info.ts';
import type { DaemonLog } from '../lifecycle/daemon-log.ts';
import { endDaemon } from '../lifecycle/requested-end.ts';
import type { DaemonIdentity } from '../threads/daemon-identity.ts';
import { bindEventOperations } from './event-operations.ts';
import type { BenchOffer } from './thread-contracts.ts';

interface ClientContext {
  readonly identity: DaemonIdentity;
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly web: WebService;
  readonly queries: EventQueries<Caller>;
  readonly requests: RequestMetrics;
  readonly metrics: DaemonMetrics;
  readonly gatewayMetrics: GatewayMetrics;
  readonly routes: RouteMap;
  readonly log: DaemonLog;
  readonly plugins: PluginGuard;
  readonly reports: BenchReports;
}

/** Binds the operations that the client thread carries out itself. */
export const bindClientOperations = (dispatcher: Dispatcher, context: ClientContext): void => {
  bindService(dispatcher, context);
  bindDiscovery(dispatcher, context);
  bindLifecycle(dispatcher, context);
  bindEventOperations(dispatcher, context);
};

const bindService = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, bench, web, requests, plugins, reports } = context;
  dispatcher
    .bind(info, () => serviceInfo(identity, web.status()))
    .bind(health, async () => {
      return serviceHealth({
        nowUs: clock.unixUs(),
        ...(await reports.ask()),
        hung: plugins.hung,
        web,
        requests: requests.count,
      });
    })
    .bind(metrics, () => renderMetrics(bench, context.metrics, context.gatewayMetrics))
    .bind(execute, ({ arguments: { operation } }) => {
      checkExecutable(operation);
      return versionRecord(identity.sources);
    });
};

const bindDiscovery = (dispatcher: Dispatcher, { web, routes }: ClientContext): void => {
  dispatcher
    .bind(
      openapi,
      keptText(() => renderOpenApi(operations, product)),
    )
    .bind(
      operationList,
      keptText(() => ({ operations: [...describeCommands(operations)] })),
    )
    .bind(operationShow, ({ arguments: { operation_id } }) =>
      describeNamed(operations, operation_id),
    )
    .bind(capabilities, () => serviceCapabilities(routes, web.status()));
};

const bindLifecycle = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, log, bench, web, plugins } = context;
  dispatcher
    .bind(webStart, ({ arguments: request, given }) =>
      web.start(webConfiguration(request, given.has('listen'))),
    )
    .bind(webStatus, () => web.status())
    .bind(webStop, () => web.stop('command'))
    .bind(daemonStatus, async () =>
      runningStatus(identity, await bench.daemonHealth(), web.status()),
    )
    .bind(daemonStop, async () => {
      await endDaemon({
        clock,
        log,
        reason: () => plugins.hung,
        requestStop: () => bench.requestStop(),
        kill: () => process.kill(identity.pid, 'SIGKILL'),
      });
      return stoppedDaemonStatus(identity.home.directory);
    });
};
