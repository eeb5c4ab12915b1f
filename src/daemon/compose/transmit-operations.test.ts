import { beforeEach, describe, expect, it } from 'vitest';
import { Dispatcher } from '../../operations/dispatcher.ts';
import { operations } from '../../operations/registry.ts';
import { TransmitRig } from '../../transmit/testing/transmit-rig.ts';
import { bindTransmitOperations } from './bench-operations.ts';

const caller = { face: 'http', project: null } as const;
let rig: TransmitRig;
let dispatcher: Dispatcher;
beforeEach(async () => {
  rig = new TransmitRig();
  dispatcher = new Dispatcher(operations);
  const { txTasks, routes } = rig;
  bindTransmitOperations(dispatcher, { txTasks, routes, benchOf: () => rig.benchSource });
  for (const port of [0, 1, 4]) await rig.open(port);
});

const invoke = (id: string, input: object = {}) => dispatcher.invoke(id, input, caller);

describe('the operations on transmit tasks', () => {
  it('add, list and remove', async () => {
    const added = await invoke('tx-task.add', { channel: '0', id: 1, period_us: 1_000_000 });
    expect(added).toMatchObject({ task_id: 'task-1', kind: 'cyclic', count: 0, pattern: 'fixed' });
    expect(await invoke('tx-task.list')).toMatchObject({ tx_tasks: [{ task_id: 'task-1' }] });
    expect(await invoke('tx-task.remove', { task_id: 'task-1' })).toMatchObject({ sent: 1 });
    expect(await invoke('tx-task.list')).toEqual({ tx_tasks: [] });
  });

  it('give a LIN response without being told what it does not need', async () => {
    const response = { channel: 'SIM00001/4', kind: 'lin_response', id: 1, data: '00' };
    expect(await invoke('tx-task.add', response)).toMatchObject({ kind: 'lin_response' });
  });

  it.each([
    [{ channel: '0', id: 1, period_us: 99 }, 'period_us'],
    [{ channel: '0', id: 1, period_us: 1_000, pattern: 'odd' }, 'pattern'],
    [{ channel: '0', id: 1, period_us: 1_000, type: 'sync-break' }, 'type'],
    [{ channel: '0', id: 1 }, 'period_us'],
  ])('refuse %j and keep the selector', async (input, field) => {
    await expect(invoke('tx-task.add', input)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field, channel: '0' },
    });
  });
});

describe('the operations on routes', () => {
  it('add, list and remove', async () => {
    const source = { channel: '0', id: 1 };
    const added = await invoke('route.add', { source, target: { channel: '1' } });
    expect(added).toMatchObject({ route_id: 'route-1', source: { slot: 0 }, target: { slot: 1 } });
    expect(await invoke('route.list')).toMatchObject({ routes: [{ route_id: 'route-1' }] });
    expect(await invoke('route.remove', { route_id: 'route-1' })).toMatchObject({ matched: 0 });
    expect(await invoke('route.list')).toEqual({ routes: [] });
  });

  it('refuse what stands in neither object', async () => {
    const source = { channel: '0', id: 1, id_mask: 2 };
    await expect(invoke('route.add', { source, target: { channel: '1' } })).rejects.toMatchObject({
      details: { field: 'source.id_mask', reason: 'unknown_field' },
    });
  });
});
