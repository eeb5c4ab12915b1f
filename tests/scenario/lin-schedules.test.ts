import { describe, expect, it } from 'vitest';
import { doorsLdf } from '../support/doors-ldf.ts';
import { askJson } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { refusedByCli } from './support/channel-bench.ts';
import { type Answered, accepted, shareTransmitBench } from './support/transmit-bench.ts';

const master = 'SIM00001/4';
const slave = 'SIM00001/5';

/** Another table, and a slot that has room for a message. */
const ldf = doorsLdf.replace(
  'Schedule_tables {',
  'Schedule_tables { Slow { Command delay 50 ms; } Tight { Command delay 5 ms; }',
);

const bench = shareTransmitBench(async (own) => {
  own.write('doors.ldf', ldf);
  await own.create('databases', { file: 'doors.ldf' });
  for (const selector of [master, slave]) {
    await own.open(selector);
    await own.json('database', 'attach', 'doors', `--channel=${selector}`);
  }
});

const start = (table: string) =>
  bench.json<Answered>('lin', 'schedule', 'start', master, `--table=${table}`);
const stop = () => bench.json<Answered>('lin', 'schedule', 'stop', master);
const list = async (): Promise<Answered[]> => (await bench.status('lin-schedules')).lin_schedules;

const until = async (isDone: (schedule: Answered) => boolean): Promise<Answered> => {
  const { lin_schedules } = await bench.until('lin-schedules', ({ lin_schedules: [first] }) =>
    isDone(first),
  );
  return lin_schedules[0];
};

/** The last data that the slave's channel has of a frame. */
const lastData = async (id: number): Promise<string | undefined> => {
  const events = await bench.events(slave);
  return events.filter((event) => event.id === id && event.data).at(-1)?.data ?? undefined;
};

describe('a schedule of a LIN network', () => {
  it('runs with simulated slaves, changes its signals and its table, and ends', async () => {
    const { tasks } = await bench.json<Answered>(
      ...['lin', 'simulate', slave, '--nodes=DoorLeft,DoorRight'],
    );
    expect(tasks.map(({ message, kind }: Answered) => [message, kind])).toEqual([
      ['LeftState', 'lin_response'],
      ['RightState', 'lin_response'],
    ]);
    const { schedule_id, ...started } = await start('Normal');
    expect(started).toMatchObject({ channel: master, database: 'doors', table: 'Normal' });
    const running = await until(({ cycles }) => cycles >= 3);
    expect(running).toMatchObject({ failed: 0, unanswered: 0, last_error: null });

    await bench.json('tx-task', 'set', tasks[0].task_id, 'Left=42');
    await eventually(async () => (await lastData(2)) === '2A');
    const changed = await bench.json<Answered>('lin', 'set', master, 'Speed=7');
    expect(changed.signals).toMatchObject([{ signal: 'Speed', value: '7' }]);
    await eventually(async () => (await lastData(1)) === '07');

    const path = `/api/v1/lin-schedules/${schedule_id}`;
    const json = { table: 'Slow', signals: { Speed: '8' } };
    accepted(await askJson({ port: bench.port, method: 'PATCH', path, json }), 200);
    expect(await until(({ next_table }) => next_table === null)).toMatchObject({ table: 'Slow' });
    await eventually(async () => (await lastData(1)) === '08');

    const sent = await bench.json<Answered>('message', 'send', master, '9#01');
    expect(sent).toMatchObject({ accepted: 1 });
    expect(await stop()).toMatchObject({ schedule_id, table: 'Slow' });
    expect(await list()).toEqual([]);
    for (const { task_id } of tasks) await bench.end(`tx-tasks/${task_id}`);
  });

  it('is refused beside another one and a cyclic task, and ends with its channel', async () => {
    const cyclic = ['tx-task', 'add', master, '9#00', '--period=50ms'];
    const { task_id } = await bench.json<Answered>(...cyclic);
    const refused = ['lin', 'schedule', 'start', master, '--table=Normal'];
    expect(refusedByCli(await bench.failure(...refused))).toMatchObject({
      code: 'busy',
      details: { task_id },
    });
    expect(await list()).toEqual([]);
    await bench.end(`tx-tasks/${task_id}`);
    const { schedule_id } = await start('Normal');
    expect(refusedByCli(await bench.failure(...refused))).toMatchObject({
      code: 'already_running',
      details: { schedule_id },
    });
    expect(refusedByCli(await bench.failure(...cyclic))).toMatchObject({
      code: 'busy',
      details: { schedule_id },
    });
    await bench.json('channel', 'close', master);
    expect(await list()).toEqual([]);
    await bench.open(master);
    await bench.json('database', 'attach', 'doors', `--channel=${master}`);
  });

  it('leaves no room for a message that does not fit into a slot', async () => {
    await start('Tight');
    const words = ['message', 'send', master, '9#0102030405060708', '--timeout-ms=200'];
    expect(refusedByCli(await bench.failure(...words))).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'no_slot', accepted: 0 },
    });
    await stop();
  });

  it('changes nothing and starts nothing if a part is refused', async () => {
    const nodes = ['lin', 'simulate', slave, '--nodes=DoorLeft,DoorMiddle'];
    expect(refusedByCli(await bench.failure(...nodes))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'nodes', reason: 'no_such_node', node: 'DoorMiddle' },
    });
    expect((await bench.status('tx-tasks')).tx_tasks).toEqual([]);
    await start('Normal');
    const change = ['lin', 'set', master, 'Speed=9', 'Left=1'];
    expect(refusedByCli(await bench.failure(...change))).toMatchObject({
      code: 'signal_not_writable',
      details: { field: 'signals.Left' },
    });
    const [schedule] = await list();
    expect(schedule.signals).toMatchObject([{ signal: 'Speed', value: '0' }]);
    await stop();
  });
});

describe('a LIN channel with another bit rate than its LDF', () => {
  it('has a warning until it is changed', async () => {
    const channel = () => bench.json<Answered>('channel', 'show', slave);
    await bench.json('channel', 'configure', slave, '--bitrate=9600');
    expect((await channel()).warnings).toMatchObject([{ code: 'lin_bitrate_differs' }]);
    await bench.json('channel', 'configure', slave, '--bitrate=19200');
    expect((await channel()).warnings).toEqual([]);
  });
});
