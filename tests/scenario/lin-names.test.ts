import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, refusedByCli } from './support/channel-bench.ts';
import { type Answered, shareTransmitBench } from './support/transmit-bench.ts';

const doors = `LIN_description_file;
LIN_protocol_version = "2.1";
LIN_language_version = "2.1";
LIN_speed = 19.2 kbps;
Nodes { Master: Body, 5 ms, 0.1 ms; Slaves: Door; }
Signals { Window: 8, 0, Door, Body; Lock: 2, 0, Body, Door; }
Frames {
  DoorCommand: 1, Body, 1 { Lock, 0; }
  DoorState: 2, Door, 2 { Window, 8; }
}
Node_attributes {
  Door { LIN_protocol = "2.1"; configured_NAD = 2; product_id = 1, 2; }
}
Schedule_tables { Normal { DoorCommand delay 10 ms; DoorState delay 15 ms; } }
`;

const master = 'SIM00001/4';
const slave = 'SIM00001/5';
const bench = shareTransmitBench(async (own) => {
  own.write('doors.ldf', doors);
  await own.create('databases', { file: 'doors.ldf' });
  for (const selector of [master, slave]) {
    await own.open(selector);
    await own.json('database', 'attach', 'doors', `--channel=${selector}`);
  }
});

describe('messages of a LIN network by name', () => {
  it('are answered by a slave, and read by the master with their signals', async () => {
    const task = await bench.json<Answered>(
      ...['tx-task', 'add', slave, 'DoorState', 'Window=50', '--kind=lin_response'],
    );
    expect(task).toMatchObject({ message: 'DoorState', type: null, data: 'FF32' });
    const read = () => bench.json<Answered>('message', 'send', master, 'DoorState');
    expect(await read()).toMatchObject({
      message: 'DoorState',
      data: 'FF32',
      response: { data: 'FF32', checksum_model: 'enhanced' },
      signals: [{ signal: 'Window', value: '50' }],
    });
    await bench.json('tx-task', 'set', task.task_id, 'Window=51');
    expect((await read()).signals).toMatchObject([{ value: '51' }]);
    await bench.end(`tx-tasks/${task.task_id}`);
  });

  it('are written by the master if it publishes them', async () => {
    const words = ['message', 'send', master, 'DoorCommand', 'Lock=2'];
    expect(await bench.json<Answered>(...words)).toMatchObject({ data: 'FE', response: null });
  });

  it('have their signals in plans, as the frames of both sides are seen', async () => {
    const request = { channel: master, database: 'doors' };
    const state = await bench.create('signals/plans', { ...request, message: 'DoorState' });
    const all = await bench.create('signals/plans', { channel: master });
    expect(all).toMatchObject({ messages: ['DoorCommand', 'DoorState'] });
    const latest = async (plan: string, signal: string): Promise<string | undefined> => {
      const query = `plan=${plan}&signal=${signal}`;
      const answer = await bench.get(`${api}/signals/latest?${query}`);
      return answer.status === 200 ? answer.json().value : undefined;
    };
    // No slave answers this header, so it has no values.
    await bench.failure('message', 'send', master, 'DoorState');
    const task = await bench.json<Answered>(
      ...['tx-task', 'add', slave, 'DoorState', 'Window=52', '--kind=lin_response'],
    );
    await bench.json('message', 'send', master, 'DoorState');
    await bench.json('message', 'send', master, 'DoorCommand', 'Lock=3');
    await eventually(async () => (await latest(all.plan_id, 'DoorCommand.Lock')) === '3');
    expect(await latest(all.plan_id, 'DoorState.Window')).toBe('52');
    expect(await latest(state.plan_id, 'Window')).toBe('52');
    const shown = await bench.status('signals');
    expect(shown.plans).toContainEqual(
      expect.objectContaining({ plan_id: state.plan_id, frames: 1 }),
    );
    await bench.end(`tx-tasks/${task.task_id}`);
    for (const { plan_id } of [state, all]) await bench.end(`signals/plans/${plan_id}`);
  });

  it.each([
    [['message', 'send', master, 'DoorState', 'Window=1'], 'signals'],
    [['tx-task', 'add', master, 'DoorState', '--period=20ms'], 'message'],
  ])('are refused to the master if a slave publishes them: %j', async (words, field) => {
    expect(refusedByCli(await bench.failure(...words))).toMatchObject({
      code: 'invalid_argument',
      details: { field, reason: 'sent_by_slave' },
    });
  });
});
