import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { FakeClock } from '../../src/base/clock/testing/fake-clock.ts';
import { type ErrorCode, errorTable } from '../../src/base/errors/table.ts';
import { ProjectRoot } from '../../src/base/files/project-root.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../src/base/schedule/testing/fake-alarm.ts';
import { builtInBench } from '../../src/bench/built-in-bench.ts';
import { maxOpenChannels } from '../../src/bench/channel-register.ts';
import { ChannelTable } from '../../src/bench/channel-table.ts';
import { Broker } from '../../src/broker/broker.ts';
import type { Driver, DriverContext } from '../../src/drivers/driver.ts';
import { DriverRegistry } from '../../src/drivers/registry.ts';
import {
  createFaultyDriver,
  type FaultyVirtualDriver,
} from '../../src/drivers/virtual/testing/virtual-faults.ts';
import { buildLibrary, faultySource } from '../../src/gateway/plugins/testing/build-plugins.ts';
import { faultyProject } from '../../src/gateway/plugins/testing/plugin-project.ts';
import { channelOpen } from '../../src/operations/channel.ts';
import { defineOperation, type Operation } from '../../src/operations/define.ts';
import { Dispatcher } from '../../src/operations/dispatcher.ts';
import { publishedErrors } from '../../src/operations/face-errors.ts';
import { messageSend } from '../../src/operations/message.ts';
import { operations } from '../../src/operations/registry.ts';
import { Sender } from '../../src/transmit/sender.ts';
import { openLogDestination } from '../../src/web/diagnostics/destination.ts';
import { Diagnostics } from '../../src/web/diagnostics/diagnostics.ts';
import { defaultTimeouts, HttpServer } from '../../src/web/http/http-server.ts';
import { RequestMetrics } from '../../src/web/http/request-metrics.ts';
import { MetricRegistry } from '../../src/web/metrics/registry.ts';
import { StaticFiles } from '../../src/web/static/static-files.ts';
import { ask, askJson, type HttpAnswer, sendRaw } from '../support/http.ts';
import { FrameClient } from '../support/websocket.ts';
import { busbar, eventually, Workbench } from '../support/workbench.ts';

/** The product as released, open on one port and protected by a token on another bench. */
const open = new Workbench();
const guarded = new Workbench();
const bare = new Workbench();
let port = 0;
let guardedPort = 0;
let taken: Server;

const historyCapacity = 16;
const networks = { networks: { spare: null } };
const benchFile = join(open.project, 'busbar.bench.json');

const engine = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
`;
let plan = '';

beforeAll(async () => {
  ({ port } = await open.startWeb(`--history-capacity=${historyCapacity}`));
  writeFileSync(benchFile, JSON.stringify(networks));
  writeFileSync(join(open.project, 'empty.json'), '{}');
  const channels = [
    { channel: 'SIM00001/0', name: 'loop', mode: 'loopback' },
    { channel: 'SIM00001/1', name: 'deaf', mode: 'listen_only' },
    { channel: 'SIM00001/4', name: 'master' },
  ];
  for (const json of channels) await askJson({ port, path: '/api/v1/channels', json });
  writeFileSync(join(open.project, 'engine.dbc'), engine);
  await askJson({ port, path: '/api/v1/databases', json: { file: 'engine.dbc' } });
  const json = { channel: 'deaf', database: 'engine', message: 'Engine' };
  ({ plan_id: plan } = (await askJson({ port, path: '/api/v1/signals/plans', json })).json());
  ({ port: guardedPort } = await guarded.startWeb('--token=right'));
  // Otherwise each refused start of its Web service starts a daemon and ends it.
  await bare.json('daemon', 'start');
  taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
});
afterAll(async () => {
  taken.close();
  await Promise.all([open.dispose(), guarded.dispose(), bare.dispose()]);
});

/** Response of a face: over HTTP with a status, from the CLI with an exit code. */
type Met = { code: string; status?: number; exit?: number };

const overHttp = ({ status, json }: HttpAnswer): Met => ({ code: json().error.code, status });
const request = (path: string, options = {}) => ask({ port, path, ...options }).then(overHttp);
const command = async (bench: Workbench, ...args: string[]): Promise<Met> => {
  const { code, exit } = await bench.failure(...args);
  return { code, exit };
};

/** A server with only these operations, for one client. */
const serve = async <T>(
  served: readonly Operation[],
  dispatcher: Dispatcher,
  meet: (port: number) => Promise<T>,
  timeouts = defaultTimeouts,
): Promise<T> => {
  const clock = new SystemClock();
  const root = ProjectRoot.open(open.project);
  const destination = openLogDestination(undefined);
  const server = new HttpServer({
    operations: served,
    dispatcher,
    files: new StaticFiles(root),
    token: null,
    diagnostics: new Diagnostics({ clock, level: 'off', destination }),
    metrics: new RequestMetrics(new MetricRegistry(), []),
    clock,
    clients: 1,
    timeouts,
  });
  const { port: own } = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    return await meet(own);
  } finally {
    await server.close();
    root.close();
  }
};

/** A server with deliberately faulty operations. */
const withServer = (
  meet: (port: number) => Promise<Met>,
  timeouts = defaultTimeouts,
): Promise<Met> => {
  const declare = (id: string) =>
    defineOperation({
      id,
      summary: id,
      result: Type.String(),
      errors: [],
      permission: 'observe',
      execution: { place: 'client', daemon: 'required', streaming: false },
      cli: null,
      http: { method: 'GET', path: `/api/v1/${id}`, success: 200 },
    });
  const [huge, broken] = [declare('huge'), declare('broken')];
  const dispatcher = new Dispatcher([huge, broken])
    .bind(huge, () => 'x'.repeat(2 * 1024 * 1024))
    .bind(broken, () => {
      throw new TypeError('a secret of ours');
    });
  return serve([huge, broken], dispatcher, meet, timeouts);
};

/** Channels of a driver that exists only here: one that fails, or one with many devices. */
const withDriver = async (
  create: (context: DriverContext) => Driver,
  meet: (port: number, table: ChannelTable) => Promise<Met>,
): Promise<Met> => {
  const clock = new FakeClock();
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => expect.fail(String(error)),
  });
  const context: DriverContext = { clock, scheduler, addresses: [], broker: new Broker() };
  const nobody = async (): Promise<void> => undefined;
  const table = new ChannelTable({
    broker: new Broker(),
    audience: { opening: nobody, closed: nobody },
    clock,
    scheduler,
    drivers: new DriverRegistry(() => context, { virtual: create }),
    onDefect: (thrown) => expect.fail(String(thrown)),
  });
  const bench = async () => builtInBench;
  const sender = new Sender({ clock, scheduler });
  const served = [channelOpen, messageSend];
  const dispatcher = new Dispatcher(served)
    .bind(channelOpen, ({ arguments: request }) => table.open(request, bench))
    .bind(messageSend, async ({ arguments: request }) =>
      sender.send(await table.use(request.channel, bench), request),
    );
  try {
    return await serve(served, dispatcher, (own) => meet(own, table));
  } finally {
    await table.closeAll();
  }
};

const lostDevice = (): Promise<Met> => {
  let driver: FaultyVirtualDriver | undefined;
  const create = (context: DriverContext): Driver => {
    driver = createFaultyDriver(context);
    return driver;
  };
  return withDriver(create, async (own) => {
    const json = { channel: 'SIM00001/0' };
    await askJson({ port: own, path: '/api/v1/channels', json });
    driver?.faults.loseDevice();
    return overHttp(
      await askJson({ port: own, path: '/api/v1/messages', json: { ...json, id: 1 } }),
    );
  });
};

/** Enough virtual devices to have more ports than the maximum of open channels. */
const manyDevices = (context: DriverContext): Driver => {
  const drivers = new Map<string, FaultyVirtualDriver>();
  for (let device = 0; device * 6 <= maxOpenChannels; device++) {
    drivers.set(`MANY${device}`, createFaultyDriver(context));
  }
  return {
    kind: 'virtual',
    devices: async () => {
      const found = [...drivers].map(async ([sn, driver]) =>
        (await driver.devices()).map((info) => ({ ...info, sn, uid: sn })),
      );
      return (await Promise.all(found)).flat();
    },
    open: async (sn, ...rest) => {
      const driver = drivers.get(sn);
      if (!driver) return expect.fail(`no device ${sn}`);
      const [device] = await driver.devices();
      return driver.open(device?.sn ?? '', ...rest);
    },
    close: async () => {
      for (const driver of drivers.values()) await driver.close();
    },
  };
};

const oneTooMany = (): Promise<Met> =>
  withDriver(manyDevices, async (own, table) => {
    const selector = (index: number) => `MANY${Math.floor(index / 6)}/${index % 6}`;
    const bench = async () => builtInBench;
    for (let index = 0; index < maxOpenChannels; index++) {
      await table.open({ channel: selector(index) }, bench);
    }
    const json = { channel: selector(maxOpenChannels) };
    return overHttp(await askJson({ port: own, path: '/api/v1/channels', json }));
  });

const send = (json: object): Promise<Met> =>
  askJson({ port, path: '/api/v1/messages', json }).then(overHttp);

const openChannel = (json: object): Promise<Met> =>
  askJson({ port, path: '/api/v1/channels', json }).then(overHttp);

const startTable = (json: object): Promise<Met> =>
  askJson({ port, path: '/api/v1/lin-schedules', json }).then(overHttp);

/** A J1939 transfer to a receiver that does not exist. */
const transfer = (): Promise<Met> => {
  const addresses = { pgn: '0xEF00', source: 1, destination: 0xaa };
  const json = { channel: 'loop', ...addresses, data: '00'.repeat(9) };
  return askJson({ port, path: '/api/v1/j1939/send', json }).then(overHttp);
};

/** A receiver that aborts every transfer. */
const abortedTransfer = async (): Promise<Met> => {
  const abort = { id: '1CEC01AA', data: 'FF01FFFFFF00EF00', period_us: 5000 };
  const json = { channel: 'loop', ...abort };
  const task = await askJson({ port, path: '/api/v1/tx-tasks', json });
  const met = await transfer();
  await ask({ port, method: 'DELETE', path: `/api/v1/tx-tasks/${task.json().task_id}` });
  return met;
};

/** Two claims of one address; the second one has a higher NAME. */
const takenAddress = async (): Promise<Met> => {
  const claim = (name: string) => {
    const json = { channel: 'loop', name, address: 0x80 };
    return askJson({ port, path: '/api/v1/j1939/claims', json });
  };
  const first = await claim('0000000000000001');
  const met = await claim('0000000000000002').then(overHttp);
  await ask({ port, method: 'DELETE', path: `/api/v1/j1939/claims/${first.json().claim_id}` });
  return met;
};

/** A request to an ECU that repeats these frames. */
const askEcu = async (
  frames: readonly string[],
  { data = '22F190', timeout_ms = 5000, ...link }: Record<string, unknown> = {},
): Promise<Met> => {
  const ids = { request_id: '7E0', response_id: '7E8' };
  const json = { channel: 'loop', name: 'ecu', ...ids, ...link };
  await askJson({ port, path: '/api/v1/diagnostics', json });
  const tasks = [];
  for (const frame of frames) {
    const period_us = frames.length > 1 ? 5000 : 100_000;
    const task = { channel: 'loop', id: '7E8', data: frame, period_us };
    tasks.push((await askJson({ port, path: '/api/v1/tx-tasks', json: task })).json().task_id);
  }
  const request = { data, timeout_ms };
  const met = await askJson({ port, path: '/api/v1/diagnostics/ecu/requests', json: request });
  for (const task of tasks) await ask({ port, method: 'DELETE', path: `/api/v1/tx-tasks/${task}` });
  await ask({ port, method: 'DELETE', path: '/api/v1/diagnostics/ecu' });
  return overHttp(met);
};

const invalidDids = async (): Promise<Met> => {
  writeFileSync(join(open.project, 'dids.json'), '{"vin": {}}');
  const json = { channel: 'loop', name: 'ecu', request_id: 1, response_id: 2, dids: 'dids.json' };
  await askJson({ port, path: '/api/v1/diagnostics', json });
  const path = '/api/v1/diagnostics/ecu/read';
  const met = await askJson({ port, path, json: { dids: ['vin'] } }).then(overHttp);
  await ask({ port, method: 'DELETE', path: '/api/v1/diagnostics/ecu' });
  return met;
};

const longData = '2EF190'.padEnd(40, '0');
const waiting = { p2_ms: 1000, n_bs_ms: 1000 };

const createPlan = (change: object): Promise<Met> => {
  const json = { channel: 'deaf', database: 'engine', message: 'Engine', ...change };
  return askJson({ port, path: '/api/v1/signals/plans', json }).then(overHttp);
};

const invalidDatabase = (): Promise<Met> => {
  const file = 'broken.dbc';
  writeFileSync(join(open.project, file), 'no database');
  return askJson({ port, path: '/api/v1/databases', json: { file } }).then(overHttp);
};

const unsupportedDatabase = (): Promise<Met> => {
  const file = 'vehicle.arxml';
  writeFileSync(join(open.project, file), '<AUTOSAR/>');
  return askJson({ port, path: '/api/v1/databases', json: { file } }).then(overHttp);
};

const invalidTrace = (): Promise<Met> => {
  const file = 'broken.asc';
  writeFileSync(join(open.project, file), 'no trace');
  const json = { file, channels: { 1: 'loop' } };
  return askJson({ port, path: '/api/v1/replay', json }).then(overHttp);
};

const damagedTrace = (): Promise<Met> => {
  writeFileSync(join(open.project, 'cut.log'), '(1.000000) can0 123#01\n(2.0000');
  return command(open, 'trace', 'convert', 'cut.log', 'whole.asc');
};

const checkTrace = (check: string): Promise<Met> => {
  writeFileSync(join(open.project, 'checked.log'), '(1.000000) can0 123#01\n');
  return command(open, 'check', 'run', `--check=${check}`, '--trace=checked.log');
};

const loggedOver = async (): Promise<Met> => {
  const file = 'played.asc';
  writeFileSync(join(open.project, file), '(1.000000) can0 123#01\n(3600.000000) can0 123#01\n');
  const json = { file, channels: { can0: 'loop' } };
  await askJson({ port, path: '/api/v1/replay', json });
  const met = await askJson({ port, path: '/api/v1/logging', json: { file, overwrite: true } });
  await ask({ port, method: 'DELETE', path: '/api/v1/replay' });
  return overHttp(met);
};

const queueCheck = (device: string) =>
  askJson({ port, path: `/api/v1/devices/${device}/firmware-check`, json: {} });

/** The error code of a job when the bench names this index. */
const failedCheck = async (firmware_index?: string): Promise<unknown> => {
  writeFileSync(benchFile, JSON.stringify({ ...networks, firmware_index }));
  const { job_id } = (await queueCheck('SIM00001')).json();
  let job = { state: '', error: { code: '' } };
  await eventually(async () => {
    job = (await ask({ port, path: `/api/v1/jobs/${job_id}` })).json();
    return job.state === 'failed';
  });
  return job.error.code;
};

const withoutWeb = async (): Promise<Met> => {
  await bare.ask(['daemon', 'start']);
  return command(bare, 'signal', 'list');
};

const readPort = (at: number, timeoutMs = 20_000): Promise<Met> =>
  command(
    open,
    ...['modbus', 'read', `--endpoint=tcp:127.0.0.1:${at}`, '--unit=1'],
    ...['--reference=40001', `--timeout-ms=${timeoutMs}`],
  );

/** How a unit responds to a request. */
type Unit = (request: Buffer, reply: (answer: Buffer) => void) => void;

const exceptional: Unit = (request, reply) =>
  reply(Buffer.concat([request.subarray(0, 4), Buffer.of(0, 3, request[6] ?? 0, 0x83, 2)]));

/** Responds as another unit. */
const impersonating: Unit = (request, reply) =>
  reply(Buffer.concat([request.subarray(0, 4), Buffer.of(0, 5, 9, 3, 2, 0, 0)]));

const withUnit = async (unit: Unit, meet: (at: number) => Promise<Met>): Promise<Met> => {
  const device = createServer((socket) =>
    socket.on('data', (request: Buffer) => unit(request, (answer) => socket.write(answer))),
  );
  await new Promise<void>((resolve) => device.listen(0, '127.0.0.1', resolve));
  try {
    return await meet((device.address() as AddressInfo).port);
  } finally {
    device.close();
  }
};

const readSilentUnit = (): Promise<Met> => {
  let answer = exceptional;
  return withUnit(
    (...asked) => answer(...asked),
    async (at) => {
      // A request with a short time-out needs an open connection, or connecting would exceed it.
      await readPort(at);
      answer = () => undefined;
      return readPort(at, 1000);
    },
  );
};

const outdatedCursor = async (): Promise<Met> => {
  const json = { channel: 'loop', id: 1, count: historyCapacity + 2 };
  await askJson({ port, path: '/api/v1/messages', json });
  const history = (after: number) =>
    ask({ port, path: `/api/v1/messages/history?channel=loop&after=${after}` });
  await eventually(async () => (await history(0)).json().oldest_available > 2);
  return overHttp(await history(1));
};

const closedDuringBatch = async (): Promise<Met> => {
  const json = { channel: 'SIM00001/2', mode: 'loopback' };
  const { slot } = (await askJson({ port, path: '/api/v1/channels', json })).json();
  const batch = send({ channel: `${slot}`, id: 1, count: 6000, cycle_us: 10_000 });
  const path = `/api/v1/channels/${slot}`;
  await eventually(async () => (await ask({ port, path: `${path}/stats` })).json().tx_frames > 0);
  await ask({ port, method: 'DELETE', path });
  return batch;
};

const invalidBench = (): Promise<Met> => {
  writeFileSync(join(bare.project, 'busbar.bench.json'), '{"networks":7}');
  return command(open, 'bench', 'show', `--project=${bare.project}`);
};

const oldSubprotocol = async (): Promise<Met> => {
  const { status, body } = await FrameClient.refusal({ port, protocols: ['svc.frames.v1'] });
  return { code: body.error.code, status };
};

const crowd = async (own: number): Promise<Met> => {
  const holder = createConnection(own, '127.0.0.1');
  await new Promise((resolve) => holder.once('connect', resolve));
  try {
    return overHttp(await ask({ port: own, path: '/api/v1/huge' }));
  } finally {
    holder.destroy();
  }
};

const impostor = async (): Promise<Met> => {
  mkdirSync(bare.home, { recursive: true, mode: 0o700 });
  const hello = `${JSON.stringify({ busbar: 99, version: '99.0.0', pid: 1 })}\n`;
  const daemon = createServer((socket) => socket.resume().end(hello));
  await new Promise<void>((resolve) => daemon.listen(join(bare.home, 'busbar.sock'), resolve));
  try {
    return await command(bare, 'health');
  } finally {
    await new Promise((resolve) => daemon.close(resolve));
  }
};

/** The index that makes a firmware check fail with each code. */
const jobs: Partial<Record<ErrorCode, string | undefined>> = {
  firmware_index_missing: undefined,
  invalid_firmware_index: 'empty.json',
  firmware_index_unreachable: 'none.json',
};

/** How to provoke each published code. */
const gateway = (tables: object) =>
  JSON.stringify({
    format: 'gwproj',
    schema_version: 1,
    id: 'met',
    endpoints: [{ id: 'bus', kind: 'can', network: 'spare' }],
    ...tables,
  });

const loadGateway = (tables: object): Promise<HttpAnswer> => {
  writeFileSync(join(open.project, 'met.gwproj'), gateway(tables));
  return askJson({ port, path: '/api/v1/gateways', json: { file: 'met.gwproj' } });
};

const twoProtections = async (): Promise<Met> => {
  const message = {
    id: 'm',
    endpoint: 'bus',
    direction: 'tx',
    can_id: 1,
    length: 8,
    period_ms: 10,
  };
  const protect = { message: 'm', direction: 'protect', codec: 'c' };
  return overHttp(
    await loadGateway({
      messages: [message],
      e2e: [
        { id: 'one', ...protect },
        { id: 'other', ...protect },
      ],
    }),
  );
};

const setConstant = async (): Promise<Met> => {
  const signal = { id: 's', type: 'bool', producer: 'constant', initial: '1' };
  await loadGateway({ signals: [signal] });
  const path = '/api/v1/gateways/met/signals';
  return overHttp(await askJson({ port, method: 'PUT', path, json: { signal: 's', value: '0' } }));
};

const switchNothing = async (): Promise<Met> => {
  const signal = { id: 's', type: 'bool', producer: 'constant', initial: '1' };
  await loadGateway({ signals: [signal] });
  const path = '/api/v1/gateways/met/faults/none';
  return overHttp(await askJson({ port, method: 'PUT', path, json: { enabled: true } }));
};

/** Loads manifests that send the same message, and starts the first of them. */
const startTwice = async (second: string): Promise<Met> => {
  for (const name of ['first', 'second']) {
    const messages = [{ id: 1, data: '', period_ms: 1000 }];
    const file = `${name}.json`;
    writeFileSync(
      join(open.project, file),
      JSON.stringify({ manifest: 1, name, channel: 'loop', messages }),
    );
    await open.json('simulation', 'load', file);
  }
  await open.json('simulation', 'start', 'first');
  const met = await command(open, 'simulation', 'start', second);
  await open.json('simulation', 'stop', 'first');
  for (const name of ['first', 'second']) await open.json('simulation', 'unload', name);
  return met;
};

/** Starts a project with a plugin, and lets it run. */
const withPlugin = async (library: string, meet: () => Promise<Met>): Promise<Met> => {
  mkdirSync(join(open.project, 'plugins'), { recursive: true });
  const project = { ...faultyProject(library), endpoints: [] };
  writeFileSync(join(open.project, 'faulty.gwproj'), JSON.stringify(project));
  await open.json('gateway', 'load', '--file=faulty.gwproj', '--instance=faulty');
  try {
    return await meet();
  } finally {
    await open.json('gateway', 'stop', '--instance=faulty');
    await open.json('gateway', 'unload', '--instance=faulty');
  }
};

const startPlugin = () => command(open, 'gateway', 'start', '--instance=faulty');

const slowPlugin = async (): Promise<Met> => {
  const file = join(open.project, 'plugins', 'faulty.so');
  mkdirSync(join(open.project, 'plugins'), { recursive: true });
  const returns = join(open.project, 'returns');
  buildLibrary(faultySource, file, `-DRETURNS_WITH="${returns}"`);
  return withPlugin('faulty.so', async () => {
    await open.json('gateway', 'start', '--instance=faulty');
    const path = '/api/v1/gateways/faulty/signals';
    const json = { signal: 'fault', value: '3' };
    const met = overHttp(await askJson({ port, method: 'PUT', path, json }));
    writeFileSync(returns, '');
    await eventually(async () => {
      const answer = await ask({ port, path: '/api/v1/health' });
      return JSON.parse(answer.text).plugins.unresponsive === null;
    });
    return met;
  });
};

const ways: Partial<Record<ErrorCode, () => Promise<Met>>> = {
  invalid_argument: () => request('/api/v1/info?x=1'),
  invalid_channel_selector: () => request('/api/v1/channels/SIM00001%2Fx'),
  unsupported_websocket_subprotocol: oldSubprotocol,
  unknown_command: () => command(open, 'wbe', 'start'),
  unauthorized: () => ask({ port: guardedPort, path: '/api/v1/info' }).then(overHttp),
  operation_not_allowed: () =>
    askJson({ port, path: '/api/v1/execute', json: { operation: 'reboot' } }).then(overHttp),
  origin_not_allowed: () => request('/api/v1/info', { headers: { origin: 'http://evil.example' } }),
  path_outside_project: () => command(bare, 'web', 'start', '--listen=127.0.0.1:0', '--web-root=/'),
  channel_not_found: () => request('/api/v1/channels/none'),
  database_not_found: () => request('/api/v1/databases/none'),
  instance_not_found: () => request('/api/v1/gateways?instance=none'),
  device_not_found: () => queueCheck('none').then(overHttp),
  file_not_found: () => command(bare, 'web', 'start', '--listen=127.0.0.1:0', '--web-root=none'),
  job_not_found: () => request('/api/v1/jobs/none'),
  message_not_found: () => createPlan({ message: 'None' }),
  no_sample: () => request(`/api/v1/signals/latest?plan=${plan}&signal=Speed`),
  operation_not_found: () => request('/api/v1/operations/none'),
  plan_not_found: () => request('/api/v1/signals/latest?plan=none&signal=Speed'),
  endpoint_not_found: () => request('/api/v1/none'),
  ecu_not_found: () => request('/api/v1/diagnostics/none'),
  claim_not_found: () => request('/api/v1/j1939/claims/none', { method: 'DELETE' }),
  recorder_not_found: () => request('/api/v1/recorders/none'),
  route_not_found: () => request('/api/v1/routes/none', { method: 'DELETE' }),
  simulated_ecu_not_found: () => request('/api/v1/simulated-ecus/none', { method: 'DELETE' }),
  schedule_not_found: () => request('/api/v1/lin-schedules/schedule-0', { method: 'DELETE' }),
  schedule_table_not_found: () => startTable({ channel: 'master', table: 'None' }),
  server_not_found: () => command(open, 'modbus', 'stop', '--endpoint=tcp:127.0.0.1:9'),
  signal_not_found: () => createPlan({ signals: ['None'] }),
  task_not_found: () => request('/api/v1/tx-tasks/none', { method: 'DELETE' }),
  method_not_allowed: () => request('/api/v1/info', { method: 'DELETE' }),
  request_timeout: () =>
    withServer(async (own) => overHttp(await sendRaw(own, 'GET / HTTP/1.1\r\nHost: x')), {
      ...defaultTimeouts,
      headers: 50,
    }),
  address_in_use: () => {
    const { port: busy } = taken.address() as AddressInfo;
    return command(bare, 'web', 'start', `--listen=127.0.0.1:${busy}`);
  },
  already_running: () => command(open, 'web', 'start'),
  busy: loggedOver,
  instance_running: () => startTwice('first'),
  output_conflict: () => startTwice('second'),
  already_exists: () => openChannel({ channel: 'SIM00001/0' }),
  capacity_exceeded: oneTooMany,
  channel_cannot_send: () => send({ channel: 'deaf', id: 1 }),
  channel_not_open: () => send({ channel: 'SIM00001/3', id: 1 }),
  cursor_expired: outdatedCursor,
  file_unavailable: () =>
    command(bare, 'web', 'start', '--listen=127.0.0.1:0', `--log-file=${bare.project}`),
  listen_failed: () =>
    command(bare, 'web', 'start', '--listen=192.0.2.1:0', '--token=x', '--allow-insecure-http'),
  network_unbound: () => send({ channel: 'spare', id: 1 }),
  operation_cancelled: closedDuringBatch,
  web_not_running: withoutWeb,
  payload_too_large: () =>
    askJson({ port, path: '/api/v1/execute', json: 'x'.repeat(70_000) }).then(overHttp),
  unsupported_media_type: () =>
    request('/api/v1/execute', { method: 'POST', headers: { 'content-type': 'a/b' }, body: 'x' }),
  invalid_bench: invalidBench,
  invalid_database: invalidDatabase,
  unsupported_database: unsupportedDatabase,
  invalid_project: () =>
    askJson({ port, path: '/api/v1/gateways', json: { file: 'empty.json' } }).then(overHttp),
  ambiguous_message: async () => {
    for (const name of ['first', 'second']) {
      await askJson({ port, path: '/api/v1/databases', json: { file: 'engine.dbc', name } });
      await ask({ port, method: 'PUT', path: `/api/v1/channels/loop/databases/${name}` });
    }
    return send({ channel: 'loop', message: 'Engine' });
  },
  j1939_aborted: abortedTransfer,
  j1939_address_taken: takenAddress,
  j1939_timeout: transfer,
  missing_cycle: () =>
    askJson({
      port,
      path: '/api/v1/gateways/import',
      json: { file: 'engine.dbc', output: 'out.gwproj', network: 'rig', direction: 'tx' },
    }).then(overHttp),
  unsupported_gateway_feature: twoProtections,
  signal_not_writable: setConstant,
  fault_rule_not_found: switchNothing,
  invalid_modbus_map: () =>
    askJson({
      port,
      path: '/api/v1/modbus/serve',
      json: { endpoint: 'tcp:127.0.0.1:0', map: 'empty.json' },
    }).then(overHttp),
  invalid_trace: invalidTrace,
  trace_damaged: damagedTrace,
  checks_failed: () => checkTrace('never frame 123'),
  checks_not_observed: () => checkTrace('cycle 7FF 20ms +-10%'),
  unsupported_by_hardware: () => openChannel({ channel: 'SIM00001/3', bus: 'lin' }),
  headers_too_large: () => request('/', { headers: { 'x-large': 'x'.repeat(17_000) } }),
  internal_error: () =>
    withServer(async (own) => overHttp(await ask({ port: own, path: '/api/v1/broken' }))),
  output_failed: async () => {
    const line = `"${process.execPath}" "${busbar}" version --format=json > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    return { code: JSON.parse(stderr).error.code, exit: status ?? -1 };
  },
  response_too_large: () =>
    withServer(async (own) => overHttp(await ask({ port: own, path: '/api/v1/huge' }))),
  hardware_error: lostDevice,
  modbus_exception: () => withUnit(exceptional, readPort),
  modbus_bad_reply: () => withUnit(impersonating, readPort),
  invalid_diagnostics_file: invalidDids,
  no_response: () => askEcu([]),
  response_pending_timeout: () => askEcu(['037F2278'], { ...waiting, timeout_ms: 500 }),
  flow_control_timeout: () => askEcu([], { data: longData, n_bs_ms: 50 }),
  flow_control_overflow: () => askEcu(['320000'], { ...waiting, data: longData }),
  consecutive_frame_timeout: () => askEcu(['101462F190574241'], { ...waiting, n_cr_ms: 20 }),
  sequence_error: () => askEcu(['101462F190574241', '2242555342415230'], waiting),
  response_too_long: () => askEcu(['101462F190574241'], { ...waiting, max_length: 8 }),
  unexpected_response: () => askEcu(['0462F19101'], { p2_ms: 300 }),
  modbus_unreachable: () => readPort(9),
  modbus_timeout: readSilentUnit,
  too_many_clients: () => withServer(crowd),
  daemon_unreachable: async () => {
    await bare.ask(['daemon', 'stop']);
    return command(bare, 'health');
  },
  daemon_start_failed: async () => {
    const file = join(bare.project, 'a-file');
    writeFileSync(file, '');
    const { code, stderr } = await bare.run(['daemon', 'start', '--format=json'], {
      env: { BUSBAR_HOME: file },
    });
    return { code: JSON.parse(stderr).error.code, exit: code };
  },
  version_mismatch: impostor,
  plugin_failed: () => withPlugin('none.so', startPlugin),
  instance_unresponsive: slowPlugin,
  hardware_timeout: () => send({ channel: 'master', type: 'master-read', id: 1 }),
};

describe('every published error code', () => {
  it('has a way to be met here', () => {
    const codes = [...Object.keys(ways), ...Object.keys(jobs)].sort();
    expect(codes).toEqual([...publishedErrors(operations)].sort());
  });

  it.each(Object.entries(jobs))('is what a job ends with: %s', async (code, index) => {
    expect(await failedCheck(index)).toBe(code);
  });

  it.each(Object.entries(ways))('is met, with its status or exit code: %s', async (code, meet) => {
    const { status, exit } = errorTable[code as ErrorCode];
    const met = await meet();
    expect(met).toEqual(met.exit === undefined ? { code, status } : { code, exit });
  });
});
