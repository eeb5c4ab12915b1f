import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const benchmarks = {
  'cli-start': 'cli-start.mjs',
  lateness: 'lateness/lateness.mjs',
  pauses: 'pauses/pauses.mjs',
  broker: 'broker/broker.mjs',
  websocket: 'websocket/websocket.mjs',
  sse: 'sse/sse.mjs',
  'virtual-bus': 'virtual-bus/virtual-bus.mjs',
  'daemon-load': 'daemon-load/daemon-load.mjs',
  'shared-channel': 'shared-channel/shared-channel.mjs',
  diagnostics: 'diagnostics/diagnostics.mjs',
  'lin-schedule': 'lin-schedule/lin-schedule.mjs',
  'dbc-parse': 'dbc/parse.mjs',
  'hostile-databases': 'hostile-databases/hostile-databases.mjs',
  'dbc-decode': 'decode/decode.mjs',
  asc: 'asc.mjs',
  blf: 'blf.mjs',
  mf4: 'mf4.mjs',
  'trace-decode': 'trace-decode/trace-decode.mjs',
  checks: 'checks/checks.mjs',
  conditions: 'conditions/conditions.mjs',
  replay: 'replay.mjs',
  recorders: 'recorders/recorders.mjs',
  'modbus-client': 'modbus-client.mjs',
  'modbus-server': 'modbus-server.mjs',
  'console-trace': 'console-trace.mjs',
  'console-by-id': 'console-by-id.mjs',
  'console-file': 'console-file.mjs',
  'id-statistics': 'id-statistics/id-statistics.mjs',
  'console-pages': 'console-pages.mjs',
  'console-heap': 'console-heap.mjs',
  'live-plans': 'live-plans.mjs',
  pdus: 'pdus.mjs',
  'plan-load': 'plan-load/plan-load.mjs',
  names: 'names.mjs',
  'gateway-validate': 'gateway-validate/gateway-validate.mjs',
  'gateway-import': 'gateway-import.mjs',
  'gateway-can': 'gateway-can/gateway-can.mjs',
  'gateway-daemon': 'gateway-daemon/gateway-daemon.mjs',
  'gateway-load': 'gateway-load/gateway-load.mjs',
  'simulation-start': 'simulation-start.mjs',
  socketcan: 'socketcan/socketcan.mjs',
  'stalled-clients': 'stalled-clients.mjs',
  'busy-clients': 'busy-clients/busy-clients.mjs',
};

const wanted = process.argv.slice(2);
for (const [name, file] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
