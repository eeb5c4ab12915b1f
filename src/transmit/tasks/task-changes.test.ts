import { describe, expect, it } from 'vitest';
import type { Lane } from '../../bench/outbox/lane.ts';
import type { SendResult } from '../../drivers/send-result.ts';
import type { CanFrame } from '../../frame/frame.ts';
import { CyclicTask } from './cyclic-task.ts';

const frame: CanFrame = {
  bus: 'can',
  id: 1,
  extended: false,
  remote: false,
  fd: false,
  brs: false,
  esi: false,
  error: false,
  dlc: 2,
  data: Uint8Array.of(1, 2),
};

const setUp = () => {
  const sent: string[] = [];
  const send = (_id: number, _flags: number, _dlc: number, data: Uint8Array): SendResult => {
    sent.push(Buffer.from(data).toString('hex'));
    return 'accepted';
  };
  const plan = { periodUs: 1000, count: 0, pattern: 'fixed' } as const;
  const lane = { send } as unknown as Lane;
  const task = new CyclicTask({ lane, frame, plan, startUs: 0, seed: 1 });
  return { task, sent };
};

describe('a change of a running task', () => {
  it('takes effect in the next frame and keeps the phase', () => {
    const { task, sent } = setUp();
    task.handOver(0);
    task.change({ data: Uint8Array.of(3, 4) }, 400);
    expect(task.dueUs).toBe(1000);
    task.handOver(1000);
    expect(sent).toEqual(['0102', '0304']);
  });

  it('resumes on the grid of the task without missed times', () => {
    const { task } = setUp();
    task.handOver(0);
    task.change({ isEnabled: false }, 400);
    expect(task.progress().state).toBe('paused');
    task.change({ isEnabled: true }, 5300);
    expect(task.dueUs).toBe(6000);
    expect(task.progress()).toMatchObject({ state: 'running', missed: 0 });
  });

  it('counts a new period from the last frame', () => {
    const { task } = setUp();
    task.handOver(0);
    task.handOver(1000);
    task.change({ periodUs: 5000 }, 1200);
    expect(task.dueUs).toBe(6000);
    task.change({ periodUs: 100 }, 7000);
    expect(task.dueUs).toBeGreaterThanOrEqual(6000);
    expect(task.periodUs).toBe(100);
  });
});
