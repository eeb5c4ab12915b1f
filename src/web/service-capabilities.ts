import { product } from '../base/product.ts';
import { maxOpenChannels } from '../bench/channel-register.ts';
import { eventStatus } from '../drivers/event-status.ts';
import { errorCountBytes } from '../frame/error-count.ts';
import { framesSubprotocol } from '../frame/frames-subprotocol.ts';
import { instanceLimits } from '../gateway/instances/budget.ts';
import { streamTransports } from '../operations/define.ts';
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
} from '../operations/limits.ts';
import { maxActive } from '../transmit/sender.ts';
import { contentSecurityPolicy } from './http/response.ts';
import type { Router } from './http/router.ts';
import type { WebService } from './web-service.ts';

export const serviceCapabilities = (
  { resources }: Pick<Router, 'resources'>,
  { history_capacity, authentication }: ReturnType<WebService['status']>,
) => ({
  api: product.api,
  transports: ['http', ...streamTransports],
  resources: resources,
  limits: {
    request_body_bytes: limits.requestBodyBytes,
    response_bytes: limits.responseBytes,
    header_bytes: limits.headerBytes,
    json_depth: limits.jsonDepth,
    clients: limits.clients,
    sse_clients: limits.sseClients,
    websocket_clients: limits.websocketClients,
    channels: maxOpenChannels,
    history_capacity: history_capacity ?? historyCapacity.default,
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
    sends: maxActive,
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
    authentication: authentication ?? 'none',
    non_loopback_requires: ['token', 'allow_insecure_http'],
    content_security_policy: contentSecurityPolicy,
  },
});
