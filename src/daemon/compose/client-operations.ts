import type { Clock } from '../../base/clock/clock.ts';
import type { LoopTurns } from '../../base/clock/loop-turns.ts';
import { keptText } from '../../base/json/json-text.ts';
import { product } from '../../base/product.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { Remote } from '../../base/threads/call-port.ts';
import { maxOpenChannels } from '../../bench/channel-register.ts';
import type { ClientEvents } from '../../bench/client-events.ts';
import { eventStatus } from '../../drivers/event-status.ts';
import { errorCountBytes } from '../../frame/error-count.ts';
import { instanceLimits } from '../../gateway/instances/budget.ts';
import { type DaemonStatus, daemonStatus, daemonStop } from '../../operations/daemon.ts';
import { streamTransports } from '../../operations/define.ts';
import type { Call, Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { health } from '../../operations/health.ts';
import {
  batchLimit,
  defaultListen,
  gatewayGraphPage,
  gatewaySignalPage,
  gatewayTaskPage,
  historyCapacity,
  historyPage,
  limits,
  samplePage,
} from '../../operations/limits.ts';
import { metrics } from '../../operations/metrics.ts';
import { operationList, operationShow } from '../../operations/operation.ts';
import { operations } from '../../operations/registry.ts';
import { describeCommands, describeNamed } from '../../operations/render/describe.ts';
import { renderOpenApi } from '../../operations/render/openapi.ts';
import { capabilities, info, openapi } from '../../operations/service.ts';
import { stoppedDaemonStatus } from '../../operations/stopped-records.ts';
import { checkExecutable, execute } from '../../operations/version.ts';
import { webStart, webStatus, webStop } from '../../operations/web.ts';
import { mostActive } from '../../transmit/sender.ts';
import type { RequestMetrics } from '../../web/http/request-metrics.ts';
import type { RouteMap } from '../../web/http/route-map.ts';
import { contentSecurityPolicy } from '../../web/http/security-headers.ts';
import type { WebConfiguration, WebService } from '../../web/web-service.ts';
import { framesSubprotocol } from '../../web/ws/subprotocols.ts';
import type { DaemonMetrics } from '../health/daemon-metrics.ts';
import type { GatewayMetrics } from '../health/gateway-metrics.ts';
import { serviceHealth } from '../health/service-health.ts';
import type { ClientPlugins } from './client-plugins.ts';
import { bindEventOperations } from './event-operations.ts';
import type { BenchOffer, DaemonIdentity } from './thread-contracts.ts';

interface ClientContext {
  readonly identity: DaemonIdentity;
  readonly clock: Clock;
  readonly bench: Remote<BenchOffer>;
  readonly web: WebService;
  readonly events: ClientEvents<Caller>;
  readonly requests: RequestMetrics;
  readonly metrics: DaemonMetrics;
  readonly gatewayMetrics: GatewayMetrics;
  readonly routes: RouteMap;
  readonly turns: LoopTurns;
  readonly scratch: ScratchPool;
  readonly plugins: ClientPlugins;
}

/** How long an answer may take to its caller before the process ends. */
const answerMs = 200;

const versionRecord = () => ({
  product: product.name,
  version: product.version,
  contract: product.contract,
  api: product.api,
});

const webConfiguration = ({ arguments: given, given: names }: Call<typeof webStart>) =>
  ({
    listen: given.listen ?? defaultListen,
    listenGiven: names.has('listen'),
    webRoot: given.web_root ?? null,
    token: given.token ?? null,
    allowInsecureHttp: given.allow_insecure_http ?? false,
    historyCapacity: given.history_capacity ?? historyCapacity.default,
    logLevel: given.log_level ?? 'info',
    logFile: given.log_file ?? null,
  }) satisfies WebConfiguration;

/** Binds the operations that the client thread carries out itself. */
export const bindClientOperations = (dispatcher: Dispatcher, context: ClientContext): void => {
  bindService(dispatcher, context);
  bindDiscovery(dispatcher, context);
  bindLifecycle(dispatcher, context);
  bindEventOperations(dispatcher, context);
};

const bindService = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, bench, web, requests, plugins } = context;
  dispatcher
    .bind(info, () => ({
      ...versionRecord(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      service: {
        instance_id: identity.instanceId,
        pid: identity.pid,
        started_at_us: identity.startedAtUs,
        project_root: identity.projectRoot,
        stream_epoch: web.status().stream_epoch,
      },
    }))
    .bind(health, async () => {
      return serviceHealth({
        nowUs: clock.unixUs(),
        ...(await plugins.report()),
        hung: plugins.hung,
        web,
        requests: requests.count,
      });
    })
    .bind(metrics, async () => {
      const [health, channels, instances, instanceBytes] = await Promise.all([
        bench.daemonHealth(),
        bench.channelReports(),
        bench.instances(),
        bench.instanceBytes(),
      ]);
      context.gatewayMetrics.show(instances, instanceBytes);
      return context.metrics.render(health, channels);
    })
    .bind(execute, ({ arguments: { operation } }) => {
      checkExecutable(operation);
      return versionRecord();
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
    .bind(capabilities, () => ({
      api: product.api,
      transports: ['http', ...streamTransports],
      resources: routes.resources,
      limits: {
        request_body_bytes: limits.requestBodyBytes,
        response_bytes: limits.responseBytes,
        header_bytes: limits.headerBytes,
        json_depth: limits.jsonDepth,
        clients: limits.clients,
        sse_clients: limits.sseClients,
        websocket_clients: limits.websocketClients,
        channels: maxOpenChannels,
        history_capacity: web.status().history_capacity ?? historyCapacity.default,
        history_page: historyPage.maximum,
        databases: limits.databases,
        gateway_instances: instanceLimits.instances,
        gateway_file_bytes: instanceLimits.fileBytes,
        gateway_budget_bytes: instanceLimits.budgetBytes,
        gateway_row_bytes: instanceLimits.rowBytes,
        gateway_task_page: gatewayTaskPage.maximum,
        gateway_signal_page: gatewaySignalPage.maximum,
        gateway_graph_page: gatewayGraphPage.maximum,
        signal_plans: limits.signalPlans,
        tx_tasks: limits.txTasks,
        routes: limits.routes,
        modbus_servers: limits.modbusServers,
        sends: mostActive,
        sample_page: samplePage.maximum,
        http_batch_us: batchLimit.httpDurationUs,
        jobs_running: limits.jobsRunning,
        jobs_kept: limits.jobsKept,
      },
      events: {
        websocket_subprotocol: framesSubprotocol,
        statuses: { ...eventStatus },
        error_count_bytes: errorCountBytes,
      },
      security: {
        default_listen: defaultListen,
        cors: false,
        tls: false,
        authentication: web.status().authentication ?? 'none',
        non_loopback_requires: ['token', 'allow_insecure_http'],
        content_security_policy: contentSecurityPolicy,
      },
    }));
};

const bindLifecycle = (dispatcher: Dispatcher, context: ClientContext): void => {
  const { identity, clock, bench, web, plugins } = context;
  dispatcher
    .bind(webStart, (call) => web.start(webConfiguration(call)))
    .bind(webStatus, () => web.status())
    .bind(webStop, () => web.stop('command'))
    .bind(daemonStatus, async (): Promise<DaemonStatus> => {
      const { threads, realtime, scheduler } = await bench.daemonHealth();
      return {
        state: 'running',
        pid: identity.pid,
        version: product.version,
        home: identity.home.directory,
        project_root: identity.projectRoot,
        started_at_us: identity.startedAtUs,
        realtime,
        last_minute_lateness_us: scheduler.last_minute_lateness_us,
        web: web.status().state,
        threads,
      };
    })
    .bind(daemonStop, async () => {
      // Nothing is left to be ended in order while the bench thread is inside a plugin.
      if (plugins.hung) clock.after(answerMs, () => plugins.endByForce());
      else await bench.requestStop();
      return stoppedDaemonStatus(identity.home.directory);
    });
};
