import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { api } from './support/channel-bench.ts';
import { accepted, shareTransmitBench } from './support/transmit-bench.ts';

const engine = `VERSION ""
BU_: ECU Gateway
BO_ 256 Engine: 8 ECU
 SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|8000] "rpm" Gateway
 SG_ Mode : 16|4@1+ (1,0) [0|15] "" Gateway
 SG_ Alive : 20|4@1+ (1,0) [0|14] "" Gateway
 SG_ Page M : 24|8@1+ (1,0) [0|255] "" Gateway
 SG_ Oil m1 : 32|8@1- (1,-40) [-40|87] "degC" Gateway
 SG_ Boost m2 : 32|8@1+ (1,0) [0|255] "kPa" Gateway
BO_ 512 Brakes: 4 Gateway
 SG_ Pressure : 0|16@1+ (0.1,0) [0|300] "bar" ECU
BO_ 768 Event: 2 ECU
 SG_ Code : 0|8@1+ (1,0) [0|0] "" Gateway
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 10;
BA_ "GenMsgCycleTime" BO_ 512 20;
VAL_ 256 Mode 0 "Off" 1 "Idle" 15 "SNA" ;
`;

const bench = shareTransmitBench(async (own) => {
  await own.open('SIM00001/0', { name: 'sender' });
  await own.open('SIM00001/1', { name: 'receiver' });
  own.write('engine.dbc', engine);
  own.write('other.dbc', engine);
  for (const file of ['engine.dbc', 'other.dbc']) {
    accepted(await own.post(`${api}/databases`, { file }), 201);
  }
  const path = `${api}/channels/sender/databases/engine`;
  accepted(await ask({ port: own.port, method: 'PUT', path }), 200);
});

const send = async (body: object) => bench.post(`${api}/messages`, { channel: 'sender', ...body });
const add = async (body: object) => bench.create('tx-tasks', { channel: 'sender', ...body });
const patch = async (task: string, body: object) => {
  const path = `${api}/tx-tasks/${task}`;
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return ask({ port: bench.port, method: 'PATCH', path, body: text, headers });
};

describe('a message by name', () => {
  it('is sent with the values that it answers', async () => {
    const after = await bench.newest();
    const record = accepted(
      await send({ message: 'Engine', signals: { EngineSpeed: '780', Mode: 'Idle' } }),
      200,
    );
    expect(record).toMatchObject({
      accepted: 1,
      message: 'Engine',
      database: 'engine',
      id: 0x100,
      data: '300C010000000000',
      frame: '100#300C010000000000',
    });
    expect(record.signals.slice(0, 2)).toEqual([
      { signal: 'EngineSpeed', value: '780', raw: '3120', unit: 'rpm', label: null },
      { signal: 'Mode', value: '1', raw: '1', unit: '', label: 'Idle' },
    ]);
    expect(await bench.received('receiver', 1, after)).toMatchObject([
      { id: 0x100, data: '300C010000000000' },
    ]);
  });

  it('is sent from a command line', async () => {
    const words = ['message', 'send', 'sender', 'Engine', 'EngineSpeed=780', 'Boost=9'];
    const run = await bench.ask([...words, '--format=json']);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ data: '300C000209000000' });
    const named = ['message', 'send', 'sender', 'EngineSpeed=780', '--message=Engine'];
    const other = await bench.ask([...named, 'Boost=9', '--format=json']);
    expect(other.code, other.stderr).toBe(0);
    expect(JSON.parse(other.stdout)).toMatchObject({ data: '300C000209000000' });
  });

  it.each([
    [{ message: 'Engin' }, 404, 'message_not_found', 'message'],
    [
      { message: 'Engine', signals: { EngineSped: '1' } },
      404,
      'signal_not_found',
      'signals.EngineSped',
    ],
    [
      { message: 'Engine', signals: { EngineSpeed: '8001' } },
      400,
      'invalid_argument',
      'signals.EngineSpeed',
    ],
    [
      { message: 'Engine', signals: { EngineSpeed: 780 } },
      400,
      'invalid_argument',
      'signals.EngineSpeed',
    ],
    [
      { message: 'Engine', signals: { Oil: '1', Boost: '1' } },
      400,
      'invalid_argument',
      'signals.Boost',
    ],
    [{ message: 'Engine', id: 1 }, 400, 'invalid_argument', 'message'],
    [{ signals: { EngineSpeed: '1' }, id: 1 }, 400, 'invalid_argument', 'signals'],
    [{ message: 'Engine', database: 'none' }, 404, 'database_not_found', 'database'],
  ])('is refused as %j', async (body, status, code, field) => {
    const answer = await send(body);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json().error).toMatchObject({ code });
    expect(answer.json().error.details.field).toBe(field);
  });

  it('needs its database where several have it', async () => {
    const path = `${api}/channels/sender/databases/other`;
    accepted(await ask({ port: bench.port, method: 'PUT', path }), 200);
    const answer = await send({ message: 'Engine' });
    expect(answer.status).toBe(409);
    expect(answer.json().error).toMatchObject({
      code: 'ambiguous_message',
      details: { databases: ['engine', 'other'] },
    });
    accepted(await send({ message: 'Engine', database: 'other' }), 200);
    accepted(await ask({ port: bench.port, method: 'DELETE', path }), 200);
  });
});

describe('a task by name', () => {
  it('has the cycle time of the database, and changes its signals together', async () => {
    const task = await add({
      message: 'Engine',
      signals: { EngineSpeed: '780' },
      counter: { signal: 'Alive', max: '14' },
    });
    expect(task).toMatchObject({ period_us: 10_000, message: 'Engine', state: 'running' });
    const { task_id } = task;
    const changed = accepted(
      await patch(task_id, { signals: { EngineSpeed: '1000', Mode: 'SNA' } }),
      200,
    );
    expect(changed.signals).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ signal: 'EngineSpeed', value: '1000' }),
        expect.objectContaining({ signal: 'Mode', label: 'SNA' }),
      ]),
    );
    const owned = await patch(task_id, { signals: { Alive: '1' } });
    expect(owned.status).toBe(409);
    expect(owned.json().error.code).toBe('signal_not_writable');
    accepted(
      await ask({ port: bench.port, method: 'DELETE', path: `${api}/databases/other` }),
      200,
    );
    expect(accepted(await patch(task_id, { enabled: false }), 200).state).toBe('paused');
    expect(accepted(await patch(task_id, { enabled: true }), 200).state).toBe('running');
    await bench.end(`tx-tasks/${task_id}`);
  });

  it.each([
    [{ message: 'Event' }, 422, 'missing_cycle'],
    [{ message: 'Engine', offload: true }, 422, 'unsupported_by_hardware'],
    [{ message: 'Engine', pattern: 'random_data' }, 400, 'invalid_argument'],
    [{ message: 'Engine', counter: { signal: 'Nothing' } }, 404, 'signal_not_found'],
    [{ message: 'Engine', counter: { signal: 'Alive', max: '16' } }, 400, 'invalid_argument'],
    [{ message: 'Engine', counter: { signal: 'Oil' } }, 400, 'invalid_argument'],
    [
      { message: 'Engine', signals: { Alive: '1' }, counter: { signal: 'Alive' } },
      409,
      'signal_not_writable',
    ],
    [{ message: 'Engine', e2e: { profile: '1A' } }, 400, 'invalid_argument'],
    [{ message: 'Engine', e2e: { profile: '4', data_id: 1 } }, 400, 'invalid_argument'],
    [{ id: 1, period_us: 1000, counter: { signal: 'Alive' } }, 400, 'invalid_argument'],
  ])('is refused as %j', async (body, status, code) => {
    const answer = await bench.post(`${api}/tx-tasks`, { channel: 'sender', ...body });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json().error.code).toBe(code);
    expect((await bench.status('tx-tasks')).tx_tasks).toEqual([]);
  });

  it('is protected as a gateway protects it', async () => {
    const after = await bench.newest();
    const e2e = { profile: '1A', data_id: 0x0123 };
    const task = await add({ message: 'Engine', count: 2, e2e });
    const [first, second] = await bench.received('receiver', 2, after);
    expect([first?.data, second?.data]).toEqual(['CC00000000000000', '9101000000000000']);
    await bench.end(`tx-tasks/${task.task_id}`);
  });
});

describe('a rest bus', () => {
  it('has every periodic message of a node', async () => {
    const made = accepted(
      await bench.post(`${api}/tx-tasks/import`, {
        channel: 'sender',
        database: 'engine',
        node: 'ECU',
      }),
      201,
    );
    expect(made.tasks).toMatchObject([{ message: 'Engine', period_us: 10_000 }]);
    expect(made.skipped).toEqual([{ message: 'Event', reason: 'no_cycle_time' }]);
    for (const { task_id } of made.tasks) await bench.end(`tx-tasks/${task_id}`);
  });

  it('sends one of several messages with the same identifier', async () => {
    bench.write('twice.dbc', engine.replace('BO_ 512 Brakes', 'BO_ 256 Again'));
    accepted(await bench.post(`${api}/databases`, { file: 'twice.dbc' }), 201);
    const made = await bench.create('tx-tasks/import', { channel: 'sender', database: 'twice' });
    expect(made.tasks).toMatchObject([{ message: 'Engine', id: 0x100 }]);
    expect(made.skipped).toContainEqual({ message: 'Again', reason: 'identifier_repeated' });
    for (const { task_id } of made.tasks) await bench.end(`tx-tasks/${task_id}`);
  });

  it('is refused as a whole', async () => {
    const answer = await bench.post(`${api}/tx-tasks/import`, {
      channel: 'sender',
      database: 'engine',
      node: 'ECV',
    });
    expect(answer.status).toBe(400);
    expect(answer.json().error.details).toMatchObject({ field: 'node', nearest: 'ECU' });
    expect((await bench.status('tx-tasks')).tx_tasks).toEqual([]);
  });
});
