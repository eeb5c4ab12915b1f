import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { range } from './support/stream-bench.ts';
import { reuseTransmitBench, stepsOf, type TransmitBench } from './support/transmit-bench.ts';

interface TaskView {
  readonly task_id: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

const setUp = reuseTransmitBench();

const tasks = async (bench: TransmitBench): Promise<TaskView[]> =>
  (await bench.status('tx-tasks')).tx_tasks;

const allFinished = (bench: TransmitBench): Promise<void> =>
  eventually(async () => (await tasks(bench)).every(({ state }) => state === 'finished'));

/** Frames of every kind that can be offloaded, and the frames that the peer receives. */
const frames: [frame: object, received: object][] = [
  [
    { id: 0x123, data: 'DEADBEEF' },
    { bus: 'can', id: 0x123, extended: false, dlc: 4, data: 'DEADBEEF' },
  ],
  [
    { id: 0x18ff50e5, extended: true, data: '01 02' },
    { bus: 'can', id: 0x18ff50e5, extended: true, data: '0102' },
  ],
  [
    { type: 'remote', id: 0x7ff, dlc: 8 },
    { bus: 'can', id: 0x7ff, remote: true, dlc: 8, data: '' },
  ],
  [
    { id: 0x10, data: '0011223344556677', dlc: 15 },
    { bus: 'can', id: 0x10, dlc: 15, data: '0011223344556677' },
  ],
  [
    { id: 0x20, fd: true, data: '00'.repeat(64) },
    { bus: 'canfd', id: 0x20, fd: true, brs: false, dlc: 15, data: '00'.repeat(64) },
  ],
  [
    { id: 0x21, fd: true, brs: true, esi: true, data: 'AB'.repeat(12) },
    { bus: 'canfd', id: 0x21, fd: true, brs: true, esi: true, dlc: 9 },
  ],
];

describe('a cyclic task that the device runs', () => {
  it.each(frames)(
    'sends each frame exactly one period after the last: %j',
    async (sent, received) => {
      const bench = await setUp(0, 1);
      const request = { channel: 'SIM00001/0', ...sent, period_us: 7000, count: 12 };
      const made = await bench.create('tx-tasks', request);
      expect(made).toMatchObject({
        task_id: expect.stringMatching(/^task-\d+$/),
        kind: 'cyclic',
        channel: 'SIM00001/0',
        selector_kind: 'serial',
        selector: 'SIM00001/0',
        slot: (await bench.show('SIM00001/0')).slot,
        period_us: 7000,
        count: 12,
        pattern: 'fixed',
        offloaded: true,
        failed: 0,
        missed: 0,
        lateness_us: null,
        last_error: null,
      });
      const events = await bench.received('SIM00001/1', 12);
      for (const event of events) expect(event).toMatchObject(received);
      expect(stepsOf(events)).toEqual(Array(11).fill(7000));
      await allFinished(bench);
      const [task] = await tasks(bench);
      expect(task).toEqual({ ...made, state: 'finished', sent: 12 });
      expect(await bench.end(`tx-tasks/${made.task_id}`)).toEqual(task);
      expect(await tasks(bench)).toEqual([]);
    },
  );

  it('is made, listed and removed on the command line as over HTTP', async () => {
    const bench = await setUp(0, 1);
    const args = ['tx-task', 'add', 'SIM00001/0', '123##3AABB', '--period=2.5ms', '--count=4'];
    const made = await bench.json<TaskView>(...args);
    expect(made).toMatchObject({ period_us: 2500, fd: true, brs: true, esi: true, data: 'AABB' });
    expect(stepsOf(await bench.received('SIM00001/1', 4))).toEqual([2500, 2500, 2500]);
    await allFinished(bench);
    const listed = await bench.json<{ tx_tasks: TaskView[] }>('tx-task', 'list');
    expect(listed.tx_tasks).toEqual(await tasks(bench));
    expect(await bench.json('tx-task', 'remove', made.task_id)).toEqual(listed.tx_tasks[0]);
    expect(await bench.json('tx-task', 'list')).toEqual({ tx_tasks: [] });
  });

  it('goes on endlessly until it is removed, and then stays silent', async () => {
    const bench = await setUp(0, 1);
    const { task_id } = await bench.create('tx-tasks', {
      channel: 'SIM00001/0',
      id: 1,
      // Slow enough that the history retains all of them until they are read.
      period_us: 5000,
    });
    await eventually(async () => (await bench.receivedSoFar('SIM00001/1')).length >= 20);
    const ended = await bench.end(`tx-tasks/${task_id}`);
    expect(ended).toMatchObject({ state: 'running', count: 0, failed: 0 });
    await bench.drained('SIM00001/0');
    await bench.received('SIM00001/1', ended.sent);
    expect(new Set(stepsOf(await bench.receivedSoFar('SIM00001/1')))).toEqual(new Set([5000]));
  });

  it('shares a port with seven others, and leaves further ones to the daemon', async () => {
    const bench = await setUp(0, 1);
    const base = { channel: 'SIM00001/0', period_us: 20_000 };
    const made: string[] = [];
    for (const id of range(1, 9)) {
      const task = await bench.create('tx-tasks', { ...base, id });
      expect(task).toMatchObject({ offloaded: id <= 8 });
      made.push(task.task_id);
    }
    await eventually(async () => {
      const seen = (await bench.receivedSoFar('SIM00001/1')).map(({ id }) => id);
      return range(1, 9).every((id) => seen.filter((each) => each === id).length >= 5);
    });
    await bench.end(`tx-tasks/${made[2]}`);
    const ids = (await tasks(bench)).map(({ task_id }) => task_id);
    expect(ids).toEqual(made.toSpliced(2, 1));
    const again = await bench.create('tx-tasks', { ...base, id: 10 });
    expect(again.offloaded).toBe(true);
    expect(made).not.toContain(again.task_id);
  });
});

describe('a cyclic task that the daemon runs', () => {
  it.each([
    ['increment_data', { id: 0x100, data: '00FE' }, ['00FE', '00FF', '0100', '0101']],
    ['increment_data', { id: 0x100, data: 'FFFF' }, ['FFFF', '0000', '0001', '0002']],
    [
      'increment_data',
      { id: 0x100, fd: true, data: 'FF'.repeat(20) },
      ['FF'.repeat(20), '00'.repeat(20), `${'00'.repeat(19)}01`, `${'00'.repeat(19)}02`],
    ],
  ])('counts data up: %s of %j', async (pattern, frame, expected) => {
    const bench = await setUp(0, 1);
    const request = { channel: 'SIM00001/0', ...frame, pattern, period_us: 1000, count: 4 };
    expect(await bench.create('tx-tasks', request)).toMatchObject({ offloaded: false, pattern });
    expect((await bench.received('SIM00001/1', 4)).map(({ data }) => data)).toEqual(expected);
  });

  it.each([
    [{ id: 0x7fe }, [0x7fe, 0x7ff, 0, 1]],
    [{ id: 0x1ffffffe, extended: true }, [0x1ffffffe, 0x1fffffff, 0, 1]],
  ])('counts identifiers up and begins anew behind the last: %j', async (frame, expected) => {
    const bench = await setUp(0, 1);
    const more = { pattern: 'increment_id', period_us: 1000, count: 4 };
    await bench.create('tx-tasks', { channel: 'SIM00001/0', ...frame, ...more });
    expect((await bench.received('SIM00001/1', 4)).map(({ id }) => id)).toEqual(expected);
  });

  it('sends random data that differ from frame to frame and from task to task', async () => {
    const bench = await setUp(0, 1);
    for (const id of [1, 2]) {
      const pattern = { data: '00'.repeat(8), pattern: 'random_data', period_us: 1000, count: 20 };
      await bench.create('tx-tasks', { channel: 'SIM00001/0', id, ...pattern });
    }
    const events = await bench.received('SIM00001/1', 40);
    expect(new Set(events.map(({ data }) => data)).size).toBe(40);
    for (const event of events) expect(event.data).toMatch(/^[0-9A-F]{16}$/);
  });

  it('sends every frame of a long count once and in order, and tells how late they were', async () => {
    const bench = await setUp(0, 1);
    const frame = { channel: 'SIM00001/0', id: 5, data: '0000', pattern: 'increment_data' };
    await bench.create('tx-tasks', { ...frame, period_us: 500, count: 400 });
    const events = await bench.received('SIM00001/1', 400);
    expect(events.map(({ data }) => Number.parseInt(data, 16))).toEqual(range(0, 399));
    await allFinished(bench);
    const [task] = await tasks(bench);
    expect(task).toMatchObject({ sent: 400, failed: 0, lateness_us: { count: 400 } });
  });

  it('counts what the channel refuses, tells why, and goes on when it takes frames again', async () => {
    const bench = await setUp(0, 1);
    for (const pattern of ['fixed', 'increment_data']) {
      await bench.create('tx-tasks', {
        channel: 'SIM00001/0',
        id: 1,
        data: '00',
        pattern,
        period_us: 1000,
      });
    }
    await bench.change('SIM00001/0', { mode: 'listen_only' });
    await eventually(async () => (await tasks(bench)).every(({ failed }) => Number(failed) > 5));
    for (const task of await tasks(bench)) {
      expect(task).toMatchObject({ state: 'running', last_error: { code: 'channel_cannot_send' } });
    }
    await bench.change('SIM00001/0', { mode: 'normal' });
    const before = await tasks(bench);
    await eventually(async () =>
      (await tasks(bench)).every(
        ({ sent }, index) => Number(sent) > Number(before[index]?.sent) + 5,
      ),
    );
  });
});

describe('the tasks of a channel', () => {
  it('end with the channel, and those of others go on', async () => {
    const bench = await setUp(0, 1, 2, 3);
    const made: TaskView[] = [];
    for (const channel of ['SIM00001/0', 'SIM00001/2', 'SIM00001/0']) {
      made.push(await bench.create('tx-tasks', { channel, id: 1, period_us: 2000 }));
    }
    await bench.create('tx-tasks', {
      channel: 'SIM00001/0',
      id: 1,
      period_us: 2000,
      pattern: 'increment_id',
    });
    expect((await bench.remove('SIM00001/0')).status).toBe(200);
    expect((await tasks(bench)).map(({ task_id }) => task_id)).toEqual([made[1]?.task_id]);
    await bench.open('SIM00001/0', { name: 'again' });
    const before = await bench.newest();
    await eventually(async () => (await bench.receivedSoFar('SIM00001/3', before)).length > 5);
    expect(await bench.receivedSoFar('SIM00001/1', before)).toEqual([]);
  });

  it('go on at a bit rate that is changed meanwhile', async () => {
    const bench = await setUp();
    // Alone: peers at two bit rates would drive each other off the bus.
    await bench.open('SIM00001/0', { mode: 'loopback' });
    await bench.create('tx-tasks', { channel: 'SIM00001/0', id: 1, period_us: 5000 });
    await bench.change('SIM00001/0', { bitrate: 250_000 });
    const before = await bench.newest();
    await eventually(async () => (await bench.receivedSoFar('SIM00001/0', before)).length > 10);
    const received = await bench.receivedSoFar('SIM00001/0', before);
    expect(new Set(stepsOf(received.slice(2)))).toEqual(new Set([5000]));
  });

  it('survive a stop and start of the Web service', async () => {
    const bench = await setUp(0, 1);
    const { task_id } = await bench.create('tx-tasks', {
      channel: 'SIM00001/0',
      id: 1,
      period_us: 1000,
    });
    await bench.json('web', 'stop');
    await bench.start();
    const [task] = await tasks(bench);
    expect(task).toMatchObject({ task_id, state: 'running' });
    const before = Number(task?.sent);
    await eventually(async () => Number((await tasks(bench))[0]?.sent) > before);
  });
});
