import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { MessageEncoder } from '../../signal/encode/message-encoder.ts';
import type { NamedMessages } from '../../signal/service/named-messages.ts';
import { aMessage, aSignal } from '../../signal/testing/models.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import type { TxTaskRecord } from '../tasks/tx-task-record.ts';
import { type NamedTaskRequest, NamedTasks, type TaskBench } from './named-tasks.ts';

const message = {
  ...aMessage(
    [aSignal({ name: 'Speed', length: 8 }), aSignal({ name: 'Mode', startBit: 8, length: 4 })],
    2,
  ),
  cycleTimeMs: 20,
};

const setUp = ({ isLin = false, isRead = false } = {}) => {
  const found = {
    database: 'engine',
    isLin,
    isRead,
    encoder: new MessageEncoder(message, { isLin }),
  };
  const messages = { find: async () => found } as unknown as NamedMessages<object>;
  const source: TaskSource = {
    database: 'engine',
    message,
    isLin,
    values: { Speed: '5' },
    length: 2,
  };
  const changes: object[] = [];
  const record = { task_id: 'task-1', message: 'Engine', data: '0500' } as TxTaskRecord;
  const bench: TaskBench<object> = {
    sourceOf: async () => source,
    change: async (_id, change) => {
      changes.push(change);
      return record;
    },
    addAll: async () => [],
  };
  const tasks = new NamedTasks({ messages, bench, turns: { next: async () => {} } });
  const prepared = async (request: NamedTaskRequest) => (await tasks.prepare(request, {}))?.request;
  return { tasks, changes, prepared };
};

const request = {
  channel: '0',
  kind: 'cyclic',
  count: 0,
  pattern: 'fixed',
  message: 'Engine',
} as const;

describe('a task by name', () => {
  it('is a frame with the cycle time of the database', async () => {
    const { prepared } = setUp();
    const frame = await prepared({ ...request, signals: { Mode: '3' } });
    expect(frame).toMatchObject({ type: 'data', id: 0x123, data: '0003', period_us: 20_000 });
    expect(frame).not.toHaveProperty('message');
  });

  it('shows the copy of the message that it encodes', async () => {
    const { tasks } = setUp();
    const shown = await tasks.message('task-1');
    expect(shown).toMatchObject({ name: message.name, length: 2, signals_omitted: 0 });
    expect(shown.signals.map(({ name }) => name)).toEqual(['Speed', 'Mode']);
  });

  it('is a response without type and period on LIN', async () => {
    const { prepared } = setUp({ isLin: true });
    const response = await prepared({ ...request, kind: 'lin_response' });
    expect(response).toMatchObject({ kind: 'lin_response', data: '00F0' });
    expect(response).not.toHaveProperty('type');
    expect(response).not.toHaveProperty('period_us');
    expect(await prepared(request)).toMatchObject({ type: 'master-write', period_us: 20_000 });
  });

  it('is not cyclic if slaves of a LIN network send it', async () => {
    const { prepared } = setUp({ isLin: true, isRead: true });
    await expect(prepared(request)).rejects.toMatchObject({
      details: { field: 'message', reason: 'sent_by_slave' },
    });
    expect(await prepared({ ...request, kind: 'lin_response' })).toMatchObject({ id: 0x123 });
  });

  it('is refused by its message where the channel cannot send its frame', async () => {
    const { tasks } = setUp();
    const prepared = await tasks.prepare(request, {});
    const refusal = new BusbarError('invalid_argument', {
      message: 'The channel is not CAN FD',
      details: { field: 'fd', reason: 'not_fd' },
    });
    expect(prepared?.refused(refusal)).toMatchObject({
      message: 'Engine cannot be sent: The channel is not CAN FD',
      details: { field: 'message', reason: 'not_fd' },
    });
  });

  it('keeps the signals that a change does not name', async () => {
    const { tasks, changes } = setUp();
    await tasks.set({ task_id: 'task-1', signals: { Mode: '1' }, period_us: 5_000 });
    expect(changes).toEqual([
      { data: '0501', values: { Speed: '5', Mode: '1' }, period_us: 5_000 },
    ]);
  });

  it('changes nothing if one of its signals is refused', async () => {
    const { tasks, changes } = setUp();
    const change = tasks.set({ task_id: 'task-1', signals: { Mode: '1', Speed: '256' } });
    await expect(change).rejects.toMatchObject({ details: { field: 'signals.Speed' } });
    expect(changes).toEqual([]);
  });
});
