import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BodyExamples, type HttpBinding, hasHttp } from '../../src/operations/define.ts';
import { parametersIn } from '../../src/operations/http-parameters.ts';
import { operations } from '../../src/operations/registry.ts';
import { doorsLdf } from '../support/doors-ldf.ts';
import { ask, askJson, type HttpAnswer } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const database = `VERSION ""

BU_: Car

BO_ 256 EngineData: 8 Car
 SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|8000] "rpm" Car
`;

const trace = `date Mon Nov 16 10:00:00.000 am 2026
base hex  timestamps absolute
no internal events logged
   0.001000 1  123             Rx   d 1 01
   0.002000 2  123             Rx   d 1 02
`;

/** A message with a period for the rest bus of a node. */
const powertrain = `VERSION ""

BU_: Gateway

BO_ 256 EngineData: 8 Gateway
 SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|8000] "rpm" Gateway
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_ "GenMsgCycleTime" BO_ 256 1000;
`;

/** A message with a period, received and sent. */
const pump = `BO_ 256 Pump: 8 ECU
 SG_ Speed : 0|8@1+ (1,0) [0|0] "" ECU
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_ "GenMsgCycleTime" BO_ 256 100;
`;

/** The project of the examples, with a settable signal and a fault rule. */
const project = {
  format: 'gwproj',
  schema_version: 1,
  id: 'coolant',
  endpoints: [{ id: 'bus', kind: 'can', network: 'bus' }],
  signals: [{ id: 'pump', type: 'uint64', producer: 'software' }],
  messages: [
    { id: 'Pump', endpoint: 'bus', direction: 'tx', can_id: 512, length: 1, period_ms: 20 },
  ],
  tx_tasks: [{ id: 'Pump', message: 'Pump' }],
  fault_rules: [{ id: 'corrupt_pump', task: 'Pump', kind: 'suppress' }],
};

const bodies = operations.flatMap((operation) => {
  const { id, http } = operation;
  if (!hasHttp(http) || parametersIn(operation, http, 'body').length === 0) return [];
  return [{ id, http, examples: http.bodyExamples }];
});

let bench: Workbench;
let port: number;
let published: Awaited<ReturnType<HttpAnswer['json']>>;
let task = '';
let schedule = '';

const modbusEndpoint = '--endpoint=tcp:127.0.0.1:1502';
const serve = (): Promise<unknown> => bench.json('modbus', 'serve', modbusEndpoint, '--unit=1');
const endServing = (): Promise<unknown> => bench.json('modbus', 'stop', modbusEndpoint);

const attach = async (name: string): Promise<void> => {
  await bench.json('database', 'load', 'powertrain.dbc', `--name=${name}`);
  await bench.json('database', 'attach', name, '--channel=SIM00001/0');
};

/** An ECU that refuses every request of a service with 0x31; without a service, it is silent. */
const openEcu = async (service?: string): Promise<void> => {
  await bench.json('channel', 'open', 'SIM00001/1');
  const p2 = service === undefined ? '--p2-ms=50' : '--p2-ms=5000';
  const ids = ['--request-id=7E0', '--response-id=7E8', p2];
  await bench.json('isotp', 'open', 'SIM00001/0', '--name=engine', ...ids);
  if (service === undefined) return;
  for (const data of ['300000', `037F${service}31`]) {
    await bench.json('tx-task', 'add', 'SIM00001/1', `7E8#${data}`, '--period=5ms');
  }
};

const closeEcu = async (): Promise<void> => {
  const { tx_tasks } = await bench.json<{ tx_tasks: { task_id: string }[] }>('tx-task', 'list');
  for (const { task_id } of tx_tasks) await bench.json('tx-task', 'remove', task_id);
  await bench.json('isotp', 'close', 'engine');
  await bench.json('channel', 'close', 'SIM00001/1');
};

const services: Readonly<Record<string, string | undefined>> = {
  'uds.session': '10',
  'uds.reset': '11',
  'uds.read': '22',
  'uds.write': '2E',
  'uds.dtc': '19',
  'uds.clear': '14',
  'uds.routine': '31',
  'uds.security': '27',
  'uds.communication': '28',
  'uds.dtc-setting': '85',
  'uds.io': '2F',
  'uds.memory-read': '23',
  'uds.memory-write': '3D',
  'uds.request': undefined,
  'uds.tester-present': undefined,
  'uds.flash': undefined,
};

const forServices = <T>(make: (service: string | undefined) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(services).map(([id, service]) => [id, make(service)]));

/** Prerequisites of an example. */
const needs: Readonly<Record<string, () => Promise<unknown>>> = {
  'channel.open': () => bench.json('channel', 'close', 'SIM00001/0'),
  'signal.plan-create': () => bench.json('database', 'load', 'vehicle.dbc'),
  'modbus.read': serve,
  'modbus.write': serve,
  'modbus.scan': serve,
  'modbus.stop': serve,
  'gateway.set': () => bench.json('gateway', 'load', '--file=coolant.gwproj'),
  'gateway.fault': () => bench.json('gateway', 'load', '--file=coolant.gwproj'),
  'gateway.save': () => bench.json('gateway', 'load', '--file=coolant.gwproj'),
  'tx-task.set': async () => {
    await attach('vehicle');
    const words = ['SIM00001/0', 'EngineData', 'EngineSpeed=0', '--period=1s'];
    ({ task_id: task } = await bench.json<{ task_id: string }>('tx-task', 'add', ...words));
  },
  'tx-task.import': () => attach('powertrain'),
  'lin.schedule-switch': async () => {
    const words = ['start', 'SIM00001/4', '--table=Normal'];
    const started = await bench.json<{ schedule_id: string }>('lin', 'schedule', ...words);
    schedule = started.schedule_id;
  },
  'j1939.send': () => bench.json('channel', 'open', 'SIM00001/1'),
  'j1939.claim': () => bench.json('channel', 'open', 'SIM00001/1'),
  'ecu.serve': async () => writeFileSync(join(bench.project, 'engine.json'), '{}'),
  ...forServices((service) => () => openEcu(service)),
  'condition.check': () => attach('vehicle'),
  'recorder.update': () => bench.json('recorder', 'add', 'night', '--file=night-{n}.asc'),
  'replay.start': async () => {
    for (const file of ['drive.asc', 'engine.blf', 'body.blf']) {
      writeFileSync(join(bench.project, file), trace);
    }
  },
};

const idIn = (answer: HttpAnswer, key: string): string => answer.json()[key];

/** Reverts the changes of an example, so that the next one starts in the same state. */
const undo: Readonly<Record<string, (answer: HttpAnswer) => Promise<unknown>>> = {
  'tx-task.add': (answer) => bench.json('tx-task', 'remove', idIn(answer, 'task_id')),
  'tx-task.set': async () => {
    await bench.json('tx-task', 'remove', task);
    await bench.json('database', 'unload', 'vehicle');
  },
  'tx-task.import': async (answer) => {
    for (const { task_id } of answer.json().tasks) await bench.json('tx-task', 'remove', task_id);
    await bench.json('database', 'unload', 'powertrain');
  },
  'lin.schedule-start': () => bench.json('lin', 'schedule', 'stop', 'SIM00001/4'),
  'lin.schedule-switch': () => bench.json('lin', 'schedule', 'stop', 'SIM00001/4'),
  'lin.simulate': async (answer) => {
    for (const { task_id } of answer.json().tasks) await bench.json('tx-task', 'remove', task_id);
  },
  'j1939.send': () => bench.json('channel', 'close', 'SIM00001/1'),
  'j1939.claim': async (answer) => {
    await bench.json('j1939', 'release', idIn(answer, 'claim_id'));
    await bench.json('channel', 'close', 'SIM00001/1');
  },
  'ecu.serve': (answer) => bench.json('ecu', 'stop', idIn(answer, 'ecu_id')),
  'isotp.open': () => bench.json('isotp', 'close', 'engine'),
  ...forServices(() => closeEcu),
  'route.add': (answer) => bench.json('route', 'remove', idIn(answer, 'route_id')),
  'database.load': () => bench.json('database', 'unload', 'vehicle'),
  'signal.plan-create': () => bench.json('database', 'unload', 'vehicle'),
  'gateway.load': () => bench.json('gateway', 'unload', '--instance=coolant'),
  'gateway.set': () => bench.json('gateway', 'unload', '--instance=coolant'),
  'gateway.fault': () => bench.json('gateway', 'unload', '--instance=coolant'),
  'gateway.save': () => bench.json('gateway', 'unload', '--instance=coolant'),
  'logging.start': () => bench.json('logging', 'stop'),
  'condition.check': () => bench.json('database', 'unload', 'vehicle'),
  'recorder.add': () => bench.json('recorder', 'remove', 'night'),
  'recorder.update': () => bench.json('recorder', 'remove', 'night'),
  'replay.start': () => bench.json('replay', 'stop'),
  'remote.start': () => bench.json('remote', 'stop'),
  'modbus.read': endServing,
  'modbus.write': endServing,
  'modbus.scan': endServing,
  'modbus.serve': endServing,
};

let uploaded = 0;

const send = ({ method, path }: HttpBinding, json: unknown): Promise<HttpAnswer> =>
  askJson({
    port,
    method,
    path: path
      // Only a LIN bus can be woken up.
      .replace('{selector}/wake', 'SIM00001%2F4/wake')
      .replace('{selector}/lin-simulation', 'SIM00001%2F4/lin-simulation')
      .replace('{selector}', 'SIM00001%2F0')
      .replace('{instance}', 'coolant')
      .replace('{name}', 'night')
      .replace('{ecu}', 'engine')
      .replace('{task_id}', task)
      .replace('{schedule_id}', schedule)
      .replace('{rule}', 'corrupt_pump')
      .replace('/files/{file}', () => `/files/hello-${++uploaded}.dbc`),
    json,
  });

describe('the examples of request bodies', () => {
  beforeAll(async () => {
    bench = new Workbench();
    writeFileSync(join(bench.project, 'vehicle.dbc'), database);
    writeFileSync(join(bench.project, 'coolant.gwproj'), JSON.stringify(project));
    writeFileSync(join(bench.project, 'pump.dbc'), pump);
    writeFileSync(join(bench.project, 'powertrain.dbc'), powertrain);
    writeFileSync(join(bench.project, 'doors.ldf'), doorsLdf);
    const opened = [0, 2, 4].map((channel) => `--channel=SIM00001/${channel}`);
    await bench.json('daemon', 'start', ...opened);
    await bench.json('database', 'load', 'doors.ldf');
    await bench.json('database', 'attach', 'doors', '--channel=SIM00001/4');
    ({ port } = await bench.startWeb());
    published = (await ask({ port, path: '/api/v1/openapi.json' })).json();
  });
  afterAll(() => bench.dispose());

  it.each(bodies)('are taken by $id as they are published', async ({ id, http, examples }) => {
    const { content } = published.paths[http.path][http.method.toLowerCase()].requestBody;
    for (const kind of ['short', 'full'] as const satisfies readonly (keyof BodyExamples)[]) {
      await needs[id]?.();
      const { value } = content['application/json'].examples[kind];
      expect(value).toEqual(examples?.[kind]);
      const answer = await send(http, value);
      // The port that peers use by default may be taken by another program.
      if (id === 'remote.start' && answer.json().error?.code === 'address_in_use') continue;
      expect({ kind, status: answer.status, text: answer.text }).toMatchObject({
        status: http.success,
      });
      await undo[id]?.(answer);
    }
  });
});
