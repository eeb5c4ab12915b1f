import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../src/base/errors/error-schema.ts';
import { MessageEvent } from '../../src/frame/event-record.ts';
import { coolantProject } from '../../src/gateway/project/testing/coolant-project.ts';
import { GatewayEvents, type WatchEvent } from '../../src/gateway/watch/watch-record.ts';
import { hasHttp, type Operation } from '../../src/operations/define.ts';
import { operations } from '../../src/operations/registry.ts';
import { PduRecord } from '../../src/pdu/pdu-record.ts';
import { SignalSample } from '../../src/signal/live/sample-record.ts';
import { writeBench } from '../scenario/support/bench-files.ts';
import { doorsLdf } from '../support/doors-ldf.ts';
import { ask, askJson } from '../support/http.ts';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually, Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;
let plan = '';
let modbus = '';

/** A database with all kinds of signals, multiplexing and a diagnostic. */
const vehicle = `VERSION "1"
BU_: ECU
BO_ 291 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (0.25,0) [0|100] "rpm" ECU
 SG_ Page M : 16|8@1+ (1,0) [0|0] "" ECU
 SG_ Level m1 : 24|32@1- (1,0) [0|0] "" ECU
 SG_ Beyond : 60|8@0- (1,0) [0|0] "" ECU
CM_ SG_ 291 Speed "Crankshaft";
VAL_ 291 Page 1 "One" ;
SIG_VALTYPE_ 291 Level : 1;
`;

/** The coolant project without its PLC, with a settable signal and a fault rule. */
const settable = () => {
  const project = coolantProject();
  project.signals[2].producer = 'software';
  project.endpoints.pop();
  project.modbus_resources = [];
  project.bindings.splice(1, 2);
  project.fault_rules = [{ id: 'no_pump', task: 'PumpCommand', kind: 'suppress' }];
  return project;
};

const route = {
  source: { channel: 'engine', id: 0x100, mask: 0x700 },
  target: { channel: 'SIM00001/1', id: 0x200 },
};

const engineEcu = {
  channel: 'engine',
  file: 'engine.json',
  request_id: '7E0',
  response_id: '7E8',
};

const api = '/api/v1';

const post = (path: string, json: unknown) => askJson({ port, path: `${api}${path}`, json });

beforeAll(async () => {
  ({ port } = await bench.startWeb());
  await post('/channels', { channel: 'SIM00001/0', name: 'engine', mode: 'loopback' });
  await post('/channels', { channel: 'SIM00001/4', name: 'door' });
  writeFileSync(join(bench.project, 'vehicle.dbc'), vehicle);
  writeFileSync(join(bench.project, 'doors.ldf'), doorsLdf);
  writeFileSync(join(bench.project, 'coolant.gwproj'), JSON.stringify(settable()));
  writeBench(bench.project, { networks: { powertrain: 'SIM00001/0' } });
  writeFileSync(join(bench.project, 'engine.json'), '{ "faults": [{ "kind": "drop" }] }');
  writeFileSync(join(bench.project, 'drive.log'), '(1.000000) can0 123#01\n');
  await post('/databases', { file: 'vehicle.dbc' });
  await post('/databases', { file: 'doors.ldf' });
  await asked('PUT', '/channels/door/databases/doors');
  const request = { channel: 'engine', database: 'vehicle', message: 'Engine' };
  ({ plan_id: plan } = (await post('/signals/plans', request)).json());
  await post('/messages', { channel: 'engine', id: 0x123, data: 'CAFE010000C07F' });
  await post('/diagnostics', { ...link, name: 'ecu', response_id: '7E8' });
  await eventually(
    async () => (await get(`/signals/latest?plan=${plan}&signal=Speed`)).status === 200,
  );
});
afterAll(() => bench.dispose());

const declared = (id: string): Operation => {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
};

const problemsOf = (operation: Operation, result: unknown) => [
  ...Compile(operation.result).Errors(result),
];

interface Success {
  readonly status: number;
  readonly result: unknown;
}

const get = async (path: string): Promise<Success> => {
  const answer = await ask({ port, path: `${api}${path}` });
  return { status: answer.status, result: answer.json() };
};

const created = async (path: string, json: unknown, method = 'POST'): Promise<Success> => {
  const answer = await askJson({ port, method, path: `${api}${path}`, json });
  return { status: answer.status, result: answer.json() };
};

const link = { channel: 'engine', request_id: '7E0', p2_ms: 5000 };

/** A service of an ECU that repeats this response, after a flow control. */
const answered = async (service: string, json: object, response: string): Promise<Success> => {
  const tasks: string[] = [];
  for (const data of ['300000', response]) {
    const task = { channel: 'engine', id: '7E8', data, period_us: 5000 };
    tasks.push((await post('/tx-tasks', task)).json().task_id);
  }
  const answer = await created(`/diagnostics/ecu/${service}`, json);
  for (const task of tasks) await asked('DELETE', `/tx-tasks/${task}`);
  return answer;
};

/** A stream has no end: only its head and first event are checked. */
const streamed = async (): Promise<Success> => {
  const stream = await SseClient.open({ port, path: `${api}/messages/stream?after=0` });
  expect(stream.headers['content-type']).toBe('text/event-stream');
  const { event, id, data } = await stream.next();
  expect({ event, id }).toEqual({ event: 'message', id: `${data.event_id}` });
  expect([...Compile(MessageEvent).Errors(data)]).toEqual([]);
  return { status: stream.status, result: `event: ${event}` };
};

const sampled = async (): Promise<Success> => {
  const stream = await SseClient.open({ port, path: `${api}/signals/stream?after=0` });
  expect(stream.headers['content-type']).toBe('text/event-stream');
  const { event, id, data } = await stream.next();
  expect({ event, id }).toEqual({ event: 'sample', id: `${data.sequence}` });
  expect([...Compile(SignalSample).Errors(data)]).toEqual([]);
  return { status: stream.status, result: `event: ${event}` };
};

const watched = async (): Promise<Success> => {
  const path = `${api}/gateways/coolant/stream?include=tasks&include=observed`;
  const stream = await SseClient.open({ port, path });
  expect(stream.headers['content-type']).toBe('text/event-stream');
  const awaited = new Set<WatchEvent>(['status', 'signals', 'tasks', 'observed']);
  while (awaited.size > 0) {
    const { event, data } = await stream.next();
    const schema = GatewayEvents.properties[event as WatchEvent];
    expect([...Compile(schema).Errors(data)]).toEqual([]);
    awaited.delete(event as WatchEvent);
  }
  return { status: stream.status, result: 'event: status' };
};

/** A stream whose first event is the result of another operation. */
const repeated = async (path: string, first: string, operation: string): Promise<Success> => {
  const stream = await SseClient.open({ port, path: `${api}${path}` });
  expect(stream.headers['content-type']).toBe('text/event-stream');
  const { event, data } = await stream.next();
  expect(event).toBe(first);
  expect(problemsOf(declared(operation), data)).toEqual([]);
  return { status: stream.status, result: `event: ${event}` };
};

/** A request without a body. */
const asked = async (method: string, path: string): Promise<Success> => {
  const answer = await ask({ port, method, path: `${api}${path}` });
  return { status: answer.status, result: answer.json() };
};

const removed = (path: string): Promise<Success> => asked('DELETE', path);

/** An upgrade response is only a status; frames of another protocol follow. */
const upgraded = async (): Promise<Success> => {
  const stream = await FrameClient.open({ port, path: `${api}/messages/ws?after=0` });
  expect(stream.socket.protocol).toBe('svc.frames.v2');
  const item = await stream.next();
  expect('bytes' in item && item.bytes.subarray(0, 6).toString('latin1')).toBe('FRM2\x02\x40');
  // The client opens only on this status.
  return { status: 101, result: null };
};

/** Requests whose responses show the result of an operation, by operation id. */
const successes: Record<string, () => Promise<Success>> = {
  info: () => get('/info'),
  health: () => get('/health'),
  capabilities: () => get('/capabilities'),
  openapi: () => get('/openapi.json'),
  metrics: async () => {
    const { status, text } = await ask({ port, path: '/metrics' });
    return { status, result: text };
  },
  'operation.list': () => get('/operations'),
  'operation.show': () => get('/operations/message.send'),
  'bench.show': () => get('/bench'),
  'device.list': () => get('/devices'),
  'device.firmware-check': () => created('/devices/SIM00001/firmware-check', {}),
  'channel.list': () => get('/channels'),
  'channel.open': () => created('/channels', { channel: 'SIM00001/1' }),
  'channel.show': () => get('/channels/door'),
  'channel.configure': () => created('/channels/engine', { termination: false }, 'PATCH'),
  'channel.close': async () => {
    await post('/channels', { channel: 'SIM00001/2' });
    const path = `${api}/channels/SIM00001%2F2`;
    const answer = await ask({ port, method: 'DELETE', path });
    return { status: answer.status, result: answer.json() };
  },
  'channel.recover': () => created('/channels/engine/recover', {}),
  'channel.wake': () => created('/channels/door/wake', {}),
  'channel.stats': () => get('/channels/engine/stats'),
  'message.send': () => created('/messages', { channel: 'engine', id: 1 }),
  'message.history': () => get('/messages/history'),
  'channel.traffic': () => get('/traffic'),
  'channel.traffic-stream': () => repeated('/traffic/stream', 'traffic', 'channel.traffic'),
  'state.stream': () => repeated('/state/stream?include=signal.list', 'signal.list', 'signal.list'),
  'message.stream': streamed,
  'message.ws': upgraded,
  'tx-task.add': () =>
    created('/tx-tasks', { channel: 'engine', id: 2, data: '01', period_us: 100_000 }),
  'tx-task.list': () => get('/tx-tasks'),
  'tx-task.remove': async () => {
    const request = { channel: 'door', kind: 'lin_response', id: 5, data: 'CAFE' };
    const { task_id } = (await post('/tx-tasks', request)).json();
    return removed(`/tx-tasks/${task_id}`);
  },
  'route.add': () => created('/routes', route),
  'route.list': () => get('/routes'),
  'route.remove': async () => {
    const { route_id } = (await post('/routes', route)).json();
    return removed(`/routes/${route_id}`);
  },
  'logging.start': () => created('/logging', { file: 'drive.asc', format: 'asc' }),
  'logging.status': () => get('/logging'),
  'logging.stop': () => removed('/logging'),
  'recorder.add': () => created('/recorders', { name: 'night', file: 'night-{n}.asc' }),
  'recorder.list': () => get('/recorders'),
  'recorder.show': () => get('/recorders/night'),
  'recorder.update': () => created('/recorders/night', { split: { max_seconds: 60 } }, 'PATCH'),
  'recorder.start': () => asked('POST', '/recorders/night/start'),
  'recorder.stop': () => asked('POST', '/recorders/night/stop'),
  'recorder.file': async () => {
    const file = await ask({ port, path: `${api}/recorders/night/files/night-1.asc` });
    return { status: file.status, result: file.text };
  },
  'file.get': async () => {
    const file = await ask({ port, path: `${api}/files/drive.log` });
    return { status: file.status, result: file.text };
  },
  'file.put': () => created('/files/hello.log', { data: 'aGVsbG8=' }, 'PUT'),
  'file.delete': async () => {
    const { result } = await created('/files/gone.log', { data: 'aGVsbG8=' }, 'PUT');
    return removed(`/files/gone.log?version=${(result as { version: string }).version}`);
  },
  'recorder.remove': () => removed('/recorders/night'),
  'condition.check': () => created('/conditions', { condition: 'frame 123' }),
  'replay.start': () => created('/replay', { file: 'drive.log', channels: { can0: 'engine' } }),
  'replay.status': () => get('/replay'),
  'replay.stop': () => removed('/replay'),
  'trace.summary': () => get('/traces/summary?file=drive.log'),
  'remote.start': () =>
    created('/remote-api', {
      listen: '127.0.0.1:0',
      peer: ['127.0.0.1:9'],
      channels: ['engine'],
    }),
  'remote.status': () => get('/remote-api'),
  'remote.stop': () => removed('/remote-api'),
  'modbus.serve': async () => {
    const map = { units: [{ unit: 1, holding: [{ address: 0, count: 10 }] }] };
    writeFileSync(join(bench.project, 'units.map.json'), JSON.stringify(map));
    const request = { endpoint: 'tcp:127.0.0.1:0', map: 'units.map.json' };
    const served = await created('/modbus/serve', request);
    modbus = (served.result as { address: string }).address;
    return served;
  },
  'modbus.read': () =>
    created('/modbus/read', { endpoint: modbus, unit: 1, reference: '40001', trace: true }),
  'modbus.write': () =>
    created('/modbus/write', { endpoint: modbus, unit: 1, reference: '40001', value: ['0x1F'] }),
  'modbus.scan': () => created('/modbus/scan', { endpoint: modbus, units: '1-2', trace: true }),
  'modbus.status': () => get('/modbus'),
  'modbus.registers': () => get('/modbus/registers'),
  'modbus.stream': () => repeated('/modbus/stream', 'status', 'modbus.status'),
  'modbus.stop': () => created('/modbus/stop', { endpoint: modbus }),
  'database.load': () => created('/databases', { file: 'vehicle.dbc', name: 'spare' }),
  'database.list': () => get('/databases'),
  'database.show': () => get('/databases/vehicle'),
  'database.attach': () => asked('PUT', '/channels/engine/databases/vehicle'),
  'tx-task.set': async () => {
    const named = { channel: 'engine', message: 'Engine', period_us: 1_000_000 };
    const { task_id } = (await post('/tx-tasks', named)).json();
    return created(`/tx-tasks/${task_id}`, { signals: { Speed: '10' } }, 'PATCH');
  },
  'tx-task.message': async () => {
    const named = { channel: 'engine', message: 'Engine', period_us: 1_000_000 };
    const { task_id } = (await post('/tx-tasks', named)).json();
    return get(`/tx-tasks/${task_id}/message`);
  },
  'tx-task.import': () => created('/tx-tasks/import', { channel: 'engine', database: 'vehicle' }),
  'database.reload': () => asked('POST', '/databases/vehicle/reload'),
  'database.detach': () => removed('/channels/engine/databases/vehicle'),
  'database.unload': () => removed('/databases/spare'),
  'j1939.send': () =>
    created('/j1939/send', { channel: 'engine', pgn: 0xfeca, source: 1, data: '00FF6E000001FFFF' }),
  'j1939.claim': () =>
    created('/j1939/claims', { channel: 'engine', name: '0102010953525687', address: 128 }),
  'j1939.list': () => get('/j1939/claims'),
  'j1939.release': async () => {
    const request = { channel: 'engine', name: '0102010953525688', address: 129 };
    const { claim_id } = (await post('/j1939/claims', request)).json();
    return removed(`/j1939/claims/${claim_id}`);
  },
  'ecu.serve': () => created('/simulated-ecus', engineEcu),
  'ecu.list': () => get('/simulated-ecus'),
  'ecu.stop': async () => {
    const other = { ...engineEcu, request_id: '7E1', response_id: '7E9' };
    const { ecu_id } = (await post('/simulated-ecus', other)).json();
    return removed(`/simulated-ecus/${ecu_id}`);
  },
  'isotp.open': () => created('/diagnostics', { ...link, name: 'opened', response_id: '7EA' }),
  'isotp.list': () => get('/diagnostics'),
  'isotp.show': () => get('/diagnostics/ecu'),
  'isotp.close': () => removed('/diagnostics/opened'),
  'uds.request': () => answered('requests', { data: '3E00' }, '027E00'),
  'uds.session': () => answered('session', { session: 'extended' }, '065003003201F4'),
  'uds.reset': () => answered('reset', {}, '025101'),
  'uds.read': () => answered('read', { dids: ['F190'] }, '0462F19001'),
  'uds.write': () => answered('write', { did: 'F190', value: '01' }, '036EF190'),
  'uds.dtc': () => answered('dtc', {}, '075902FF1234562F'),
  'uds.clear': () => answered('clear', {}, '0154'),
  'uds.routine': () => answered('routine', { action: 'start', routine: '0203' }, '0571010203FF'),
  'uds.security': () => answered('security', { level: 1 }, '066701DEADBEEF'),
  'uds.communication': () => answered('communication', { control: 'disable-rx-tx' }, '026803'),
  'uds.dtc-setting': () => answered('dtc-setting', { setting: 'off' }, '02C502'),
  'uds.io': () => answered('io', { did: '1234', control: 'return' }, '046F123400'),
  'uds.memory-read': () => answered('memory-read', { address: 16, size: 2 }, '03630102'),
  'uds.memory-write': () => answered('memory-write', { address: 16, data: '01' }, '037F3D31'),
  'uds.tester-present': () => created('/diagnostics/ecu/tester-present', { enabled: false }),
  'uds.flash': () => created('/diagnostics/ecu/flash', { file: 'a.hex', sequence: 'a.json' }),
  'lin.schedule-start': () => created('/lin-schedules', { channel: 'door', table: 'Normal' }),
  'lin.schedule-list': () => get('/lin-schedules'),
  'lin.schedule-switch': () =>
    created('/lin-schedules/door', { table: 'Normal', signals: { Speed: '3' } }, 'PATCH'),
  'lin.schedule-stop': () => removed('/lin-schedules/door'),
  'lin.simulate': () => created('/channels/door/lin-simulation', { nodes: ['DoorLeft'] }),
  'pdu.history': () => get('/pdus/history'),
  'pdu.stream': async () => {
    const stream = await SseClient.open({ port, path: `${api}/pdus/stream?after=0` });
    expect(stream.headers['content-type']).toBe('text/event-stream');
    const { event, data } = await stream.next();
    expect([...Compile(PduRecord).Errors(data)]).toEqual([]);
    return { status: stream.status, result: `event: ${event}` };
  },
  'check.start': () => created('/checks', { checks: [{ check: 'never gap' }], trace: 'drive.log' }),
  'trace.decode-job': () => {
    const databases = [{ file: 'vehicle.dbc' }];
    return created('/traces/decode', { file: 'drive.log', output: 'drive.csv', databases });
  },
  'gateway.validate': () => created('/gateways/validate', { file: 'coolant.gwproj' }),
  'gateway.import': () =>
    created('/gateways/import', {
      file: 'vehicle.dbc',
      output: 'vehicle.gwproj',
      network: 'vehicle',
      direction: 'rx',
      stale_after_ms: 0,
    }),
  'gateway.load': () => created('/gateways', { file: 'coolant.gwproj' }),
  'gateway.status': () => get('/gateways?instance=coolant'),
  'gateway.files': () => get('/gateways/files?type=gwproj'),
  'gateway.signals': () => get('/gateways/coolant/signals'),
  'gateway.signal': () => get('/gateways/coolant/signals/pump'),
  'gateway.set': () => created('/gateways/coolant/signals', { signal: 'pump', value: '55' }, 'PUT'),
  'gateway.save': () => created('/gateways/coolant/save', { file: 'saved.gwproj' }),
  'gateway.graph': () => get('/gateways/coolant/graph'),
  'gateway.stream': watched,
  'gateway.start': () => created('/gateways/coolant/start', {}),
  'gateway.faults': () => get('/gateways/coolant/faults'),
  'gateway.fault-events': () => get('/gateways/coolant/faults/events'),
  'gateway.fault': () => created('/gateways/coolant/faults/no_pump', { enabled: true }, 'PUT'),
  'gateway.stop': () => created('/gateways/coolant/stop', {}),
  'gateway.unload': () => removed('/gateways/coolant'),
  'signal.list': () => get('/signals'),
  'signal.plan-create': () =>
    created('/signals/plans', { channel: 'engine', database: 'vehicle', message: 291 }),
  'signal.plan-delete': async () => {
    const request = { channel: 'engine', database: 'vehicle', message: '0x123' };
    const { plan_id } = (await post('/signals/plans', request)).json();
    return removed(`/signals/plans/${plan_id}`);
  },
  'signal.latest': () => get(`/signals/latest?plan=${plan}&signal=Speed`),
  'signal.history': () => get(`/signals/history?plan=${plan}&signal=Page`),
  'signal.stream': sampled,
  'job.list': () => get('/jobs'),
  'job.show': async () => {
    const { job_id } = (await post('/devices/SIM00001/firmware-check', {})).json();
    return get(`/jobs/${job_id}`);
  },
  'job.cancel': async () => {
    const { job_id } = (await post('/devices/SIM00001/firmware-check', {})).json();
    return removed(`/jobs/${job_id}`);
  },
  execute: () => created('/execute', { operation: 'version' }),
};

/** Commands whose whole results are printed. */
const commands: [id: string, ...args: string[]][] = [
  ['web.status'],
  ['daemon.status'],
  ['version'],
  ['bench.show'],
  ['device.list'],
  ['channel.list'],
  ['channel.show', 'door'],
  ['channel.stats', '0'],
  ['channel.configure', 'engine', '--mode=loopback'],
  ['channel.recover', 'engine'],
  ['channel.wake', 'door'],
  ['message.send', 'engine', '123#CAFE'],
  ['message.history'],
  ['database.list'],
  ['database.show', 'vehicle'],
  ['gateway.status'],
  ['signal.list'],
  ['tx-task.list'],
  ['route.list'],
  ['j1939.list'],
  ['ecu.list'],
  ['isotp.list'],
  ['isotp.show', 'ecu'],
  ['logging.status'],
  ['recorder.list'],
  ['condition.check', 'frame 123'],
  ['replay.status'],
  ['remote.status'],
];

describe('every answer', () => {
  it('is tried for every operation that HTTP serves', () => {
    const served = operations.filter(({ http }) => hasHttp(http)).map(({ id }) => id);
    expect(Object.keys(successes).sort()).toEqual(served.sort());
  });

  it.each(Object.entries(successes))('of %s fits its declaration', async (id, meet) => {
    const operation = declared(id);
    const { status, result } = await meet();
    expect(status).toBe(hasHttp(operation.http) && operation.http.success);
    expect(problemsOf(operation, result)).toEqual([]);
  });

  it.each(commands)('of the command %s fits its declared result', async (id, ...args) => {
    const result = await bench.json(...id.split('.'), ...args);
    expect(problemsOf(declared(id), result)).toEqual([]);
  });

  it('that is an event of message recv fits its declared result', async () => {
    const line = ['message', 'recv', '--after=0', '--count=1', '--format=jsonl'];
    const { stdout } = await bench.run(line);
    expect(problemsOf(declared('message.recv'), JSON.parse(stdout))).toEqual([]);
  });

  it('that is a sample of signal watch fits its declared result', async () => {
    const line = ['signal', 'watch', '--after=0', '--count=1', '--format=jsonl'];
    const { stdout } = await bench.run(line);
    expect(problemsOf(declared('signal.watch'), JSON.parse(stdout))).toEqual([]);
  });

  it.each(['/jobs/none', '/channels/none', '/channels/a%2Fb', '/messages/history?after=x'])(
    'that is an error fits the envelope: %s',
    async (path) => {
      const answer = await ask({ port, path: `${api}${path}` });
      expect([...Compile(ErrorEnvelope).Errors(answer.json())]).toEqual([]);
    },
  );
});
