import { beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import { LinRig } from './testing/lin-rig.ts';
import { scheduleNetwork } from './testing/schedule-network.ts';

const channel = 'SIM00001/5';
let rig: LinRig;

beforeEach(async () => {
  rig = new LinRig();
  rig.attach(scheduleNetwork);
  await rig.openNode(4);
  await rig.openNode(5);
});

const simulate = (nodes: readonly string[], on = channel) =>
  rig.tasks.simulate({ channel: on, nodes }, {});

describe('simulated slaves', () => {
  it('respond to the headers of all their frames with initial values', async () => {
    const tasks = await simulate(['A', 'B']);
    expect(tasks.map(({ message, data, kind }) => [message, data, kind])).toEqual([
      ['Answer', '05FF', 'lin_response'],
      ['DoorA', 'FF06', 'lin_response'],
      ['DoorB', 'FF07', 'lin_response'],
    ]);
    expect(tasks[0]?.signals).toMatchObject([{ signal: 'State', value: '5' }]);
    await rig.startTable('Normal');
    rig.clock.advanceUs(100_000);
    expect(await rig.record()).toMatchObject({ unanswered: 0 });
  });

  it('change with their tasks, and are silent when these are removed', async () => {
    const [answer] = await simulate(['A']);
    const task_id = answer?.task_id ?? '';
    await rig.startTable('Normal');
    await rig.tasks.set({ task_id, signals: { State: '9' } });
    rig.clock.advanceUs(18_000);
    const [master] = rig.table.channels;
    expect(master && rig.received(master)).toMatchObject([{ id: 3, data: '09FF' }]);
    rig.txTasks.remove(task_id);
    rig.clock.advanceUs(20_000);
    expect(await rig.record()).toMatchObject({ unanswered: 1 });
  });

  it('can be on the channel of the master', async () => {
    await simulate(['A'], 'SIM00001/4');
    await rig.startTable('Normal');
    rig.clock.advanceUs(100_000);
    expect(await rig.record()).toMatchObject({ unanswered: 0 });
  });

  it.each([
    [['A', 'C'], { reason: 'no_such_node', node: 'C' }],
    [['B', 'A', 'B'], { reason: 'repeated', node: 'B' }],
    [['A', 'M'], { reason: 'is_master', node: 'M' }],
  ])('are refused as a whole: %j', async (nodes, details) => {
    expect(await refusalOf(simulate(nodes))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'nodes', ...details },
    });
    expect(rig.txTasks.list()).toEqual([]);
  });

  it('are refused as a whole if one frame has a response already', async () => {
    const { task_id } = await rig.addTask({ channel, kind: 'lin_response', id: 5, data: '0102' });
    expect(await refusalOf(simulate(['A', 'B']))).toMatchObject({
      code: 'already_exists',
      details: { field: 'nodes', message: 'DoorB', task_id },
    });
    expect(rig.txTasks.list().map((task) => task.task_id)).toEqual([task_id]);
  });

  it('are refused if one publishes nothing', async () => {
    rig.databases.pop();
    rig.attach(scheduleNetwork.replace('Slaves: A, B;', 'Slaves: A, B, C;'));
    expect(await refusalOf(simulate(['A', 'C']))).toMatchObject({
      details: { field: 'nodes', reason: 'no_frames', node: 'C' },
    });
  });
});
