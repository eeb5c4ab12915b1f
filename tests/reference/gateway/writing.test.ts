import { describe, expect, it } from 'vitest';
import {
  accepts,
  endpoint,
  outcome,
  rounds,
  run,
  set,
  snapshot,
  start,
  started,
  stop,
  writing,
} from './small-scripts.ts';

const [reg] = writing.modbus_resources;
const [binding] = writing.bindings;
const onChange = {
  ...writing,
  tx_tasks: [{ id: 'task', resources: ['reg'], policy: 'on_change' }],
} as const;

/** A separate validity bit in a word, in the same task. */
const marked = {
  ...onChange,
  signals: [{ id: 'value', type: 'int64', producer: 'software' }],
  modbus_resources: [
    reg,
    {
      id: 'bit',
      endpoint: 'unit',
      table: 'holding',
      address: 5,
      bit_offset: 3,
      access: 'write',
    },
  ],
  bindings: [{ ...binding, validity_bit: 'bit' }],
  tx_tasks: [{ id: 'task', resources: ['bit', 'reg'], period_ms: 10 }],
} as const;

describe('tasks that write', () => {
  it('write on the grid of their period, one group at a time', () => {
    const result = run(writing, [
      ...[start(), outcome(1), set(5, 'value', '3'), rounds(10, 20), outcome(21)],
      ...[rounds(30), snapshot(30)],
    ]);
    expect(result.groups).toEqual(['0: 6@4 [1]', '10: 6@4 [3]', '30: 6@4 [3]']);
    expect(result.task()).toMatchObject({ accepted: 3, sent: 2, pending: 1, missed: 1 });
  });

  it('write what changed', () => {
    const result = run(onChange, [
      ...[start(), outcome(1), rounds(5), set(6, 'value', '3'), rounds(6)],
      ...[set(7, 'value', '4'), rounds(7), outcome(8), rounds(8)],
    ]);
    expect(result.groups).toEqual(['0: 6@4 [1]', '6: 6@4 [3]', '8: 6@4 [4]']);
  });

  it('are refused while the link is down, and try again after 100 ms', () => {
    const result = run(onChange, [
      ...[start(), outcome(1), endpoint(2, false, 'unit'), set(2, 'value', '3'), rounds(2)],
      ...[snapshot(2), endpoint(3, true, 'unit'), rounds(101, 102), snapshot(102)],
      ...[outcome(103), snapshot(103)],
    ]);
    expect(result.groups).toEqual(['0: 6@4 [1]', '102: 6@4 [3]']);
    const tasks = [0, 1, 2].map((place) => result.task(place));
    expect(tasks.map(({ error }) => error)).toEqual([
      'modbus_unreachable',
      'modbus_unreachable',
      null,
    ]);
    expect(tasks[0]).toMatchObject({ accepted: 1, failed: 0 });
  });

  it('are refused while the queue is full', () => {
    const result = run(writing, [
      ...[start(), outcome(1), accepts(2, false, 'unit'), rounds(10), snapshot(10)],
    ]);
    expect(result.task()).toMatchObject({ accepted: 1, sent: 1, failed: 0, error: 'queue_full' });
  });

  it('write again what has failed, and say why it did', () => {
    const result = run(onChange, [
      ...[start(), outcome(2, false, 'modbus_exception'), rounds(50), snapshot(50)],
      ...[rounds(102), outcome(103), snapshot(103)],
    ]);
    expect(result.groups).toEqual(['0: 6@4 [1]', '102: 6@4 [1]']);
    expect(result.task(0)).toMatchObject({ failed: 1, error: 'modbus_exception' });
    expect(result.task(1)).toMatchObject({ failed: 1, sent: 1, error: null });
  });

  it('measure the wait for the link and the exchange itself', () => {
    const result = run(writing, [
      ...[start(), started(2), started(3), outcome(7), rounds(10), outcome(15), snapshot(15)],
    ]);
    const { queueWait, protocolWait, completionWait, tickToSubmit } = result.task();
    expect([queueWait.count, queueWait.max]).toEqual([1, 2000]);
    expect([protocolWait.count, protocolWait.max]).toEqual([1, 5000]);
    expect([completionWait.count, completionWait.max]).toEqual([2, 7000]);
    expect([tickToSubmit.count, tickToSubmit.max]).toEqual([2, 0]);
  });

  it('leave a group unconfirmed of which nothing is heard for a second after the stop', () => {
    const result = run(writing, [start(), stop(5), snapshot(5), started(900), snapshot(1005)]);
    expect(result.task(0)).toMatchObject({ pending: 1, unconfirmed: 0 });
    expect(result.task(1)).toMatchObject({ pending: 1, unconfirmed: 1 });
  });

  it('write the invalid raw and a cleared bit for what is not valid', () => {
    const result = run(marked, [start(), outcome(1), set(5, 'value', '9'), rounds(10)]);
    expect(result.groups).toEqual([
      '0: 3@5+1 16@4 [65535,0]/[65535,8]',
      '10: 3@5+1 16@4 [9,8]/[65535,8]',
    ]);
  });

  it('write on change once a dependency has been valid, also where only its bit is written', () => {
    const project = {
      ...marked,
      tx_tasks: [
        { id: 'task', resources: ['bit'], policy: 'on_change' },
        { id: 'other', resources: ['reg'], policy: 'on_change' },
      ],
    } as const;
    const result = run(project, [
      ...[start(), rounds(5), set(6, 'value', '9'), rounds(6), outcome(7)],
      ...[set(8, 'value', '10'), rounds(8), snapshot(8)],
    ]);
    expect(result.groups).toEqual(['6: 3@5+1 6@5 [8]/[8]', '6: 6@4 [9]']);
    expect(result.task().sourceAge.count).toBe(1);
  });
});
