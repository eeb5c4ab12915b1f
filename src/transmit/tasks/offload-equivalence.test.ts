import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { canOf } from '../../bench/testing/table-rig.ts';
import { type ReceivedFrame, TransmitRig, withoutOffload } from '../testing/transmit-rig.ts';

type Step =
  | { readonly is: 'wait'; readonly us: number }
  | { readonly is: 'add'; readonly periodUs: number; readonly count: number }
  | { readonly is: 'remove'; readonly task: number }
  | { readonly is: 'lose' | 'return' | 'recover' | 'listen' | 'speak' }
  | { readonly is: 'break'; readonly frames: number };

/** Times at which no frame is due: simultaneous events have no order. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ is: fc.constant('wait' as const), us: fc.nat(90) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant('add' as const),
        periodUs: fc.integer({ min: 1, max: 40 }),
        count: fc.constantFrom(0, 0, 1, 5),
      }),
    },
    fc.record({ is: fc.constant('remove' as const), task: fc.nat(6) }),
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constantFrom(
          'lose' as const,
          'return' as const,
          'recover' as const,
          'listen' as const,
          'speak' as const,
        ),
      }),
    },
    fc.record({ is: fc.constant('break' as const), frames: fc.constantFrom(3, 40) }),
  ),
  { minLength: 12, maxLength: 30 },
);

interface Course {
  readonly received: readonly ReceivedFrame[];
  readonly counts: unknown;
}

const play = async (course: readonly Step[], offload: boolean): Promise<Course> => {
  const rig = new TransmitRig();
  const zero = await rig.open(0);
  const one = await rig.open(1);
  if (!offload) withoutOffload(zero);
  let added = 0;
  let tasks = 0;
  for (const step of course) {
    // Between the due times of all tasks, which start on whole milliseconds with whole periods.
    switch (step.is) {
      case 'wait':
        rig.clock.advanceUs(step.us * 1_000 + 300);
        break;
      case 'add': {
        if (tasks >= 8) break;
        tasks += 1;
        const nowUs = rig.clock.monotonicUs();
        rig.clock.advanceToUs(Math.ceil(nowUs / 1_000) * 1_000);
        const period_us = step.periodUs * 1_000;
        const task = { channel: 'SIM00001/0', id: ++added, period_us, count: step.count };
        // A channel that only listens refuses it.
        if (!(await rig.addTask(task).catch(() => undefined))) tasks -= 1;
        rig.clock.advanceUs(300);
        break;
      }
      case 'remove': {
        const { task_id } = rig.txTasks.list()[step.task] ?? {};
        if (!task_id) break;
        rig.txTasks.remove(task_id);
        tasks -= 1;
        break;
      }
      case 'lose':
        rig.driver.faults.loseDevice();
        break;
      case 'return':
        rig.driver.faults.returnDevice();
        break;
      case 'recover':
        canOf(zero).recover();
        break;
      case 'break':
        rig.driver.faults.bitErrors(0, step.frames);
        break;
      default: {
        const mode = step.is === 'listen' ? 'listen_only' : 'normal';
        await rig.table.configure('SIM00001/0', { mode }, rig.benchSource).catch(() => undefined);
      }
    }
  }
  rig.clock.advanceUs(50_000);
  const counts = rig.txTasks.list().map(({ task_id, state, sent, failed, last_error }) => ({
    task_id,
    state,
    sent,
    failed,
    last_error,
  }));
  return { received: rig.received(one), counts };
};

describe('a task that the device runs', () => {
  it('sends the same frames at the same times as one of the daemon, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (course) => {
        expect(await play(course, true)).toEqual(await play(course, false));
      }),
      { numRuns: cases(20, 60), seed: 20_260_101 },
    );
  });
});
