import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { cases } from '../testing/long.ts';
import { type Alarm, Scheduler, type Task } from './scheduler.ts';

const taskCount = 8;

/** What a task changes when it runs, relative to the current time. */
interface Deed {
  readonly task: number;
  readonly offsetUs: number | 'cancel';
}

type Step =
  | { readonly kind: 'deed'; readonly deed: Deed }
  | { readonly kind: 'pass'; readonly afterUs: number };

interface Story {
  /** Changes by task and run; later runs change nothing. */
  readonly deedsOfRuns: readonly (readonly (readonly Deed[])[])[];
  readonly steps: readonly Step[];
}

interface Ran {
  readonly task: number;
  readonly nowUs: number;
  readonly dueUs: number;
}

/** A reference scheduler: a list that is searched completely. */
const expectedRuns = ({ deedsOfRuns, steps }: Story): Ran[] => {
  const ran: Ran[] = [];
  const runsOf = new Array<number>(taskCount).fill(0);
  let waiting: { task: number; dueUs: number; runUs: number }[] = [];
  let nowUs = 0;

  const apply = ({ task, offsetUs }: Deed, hadTheirTurn: ReadonlySet<number>): void => {
    waiting = waiting.filter((entry) => entry.task !== task);
    if (offsetUs === 'cancel') return;
    const dueUs = nowUs + offsetUs;
    const runUs = hadTheirTurn.has(task) ? Math.max(dueUs, nowUs + 1) : dueUs;
    waiting.push({ task, dueUs, runUs });
  };

  for (const step of steps) {
    if (step.kind === 'deed') {
      apply(step.deed, new Set());
      continue;
    }
    nowUs += step.afterUs;
    const hadTheirTurn = new Set<number>();
    for (;;) {
      const due = waiting.filter((entry) => entry.runUs <= nowUs);
      const next = due.toSorted((a, b) => a.runUs - b.runUs)[0];
      if (!next) break;
      waiting = waiting.filter((entry) => entry !== next);
      hadTheirTurn.add(next.task);
      ran.push({ task: next.task, nowUs, dueUs: next.dueUs });
      const run = runsOf[next.task] as number;
      runsOf[next.task] = run + 1;
      for (const deed of deedsOfRuns[next.task]?.[run] ?? []) apply(deed, hadTheirTurn);
    }
  }
  return ran;
};

const actualRuns = ({ deedsOfRuns, steps }: Story): Ran[] => {
  const ran: Ran[] = [];
  const clock = new FakeClock();
  const alarm: Alarm & { armedUs: number } = {
    onRing: undefined,
    armedUs: Number.POSITIVE_INFINITY,
    arm(atUs) {
      this.armedUs = atUs;
    },
  };
  const scheduler = new Scheduler({
    clock,
    alarm,
    onError: (error) => {
      throw error;
    },
  });
  const apply = ({ task, offsetUs }: Deed): void => {
    if (offsetUs === 'cancel') tasks[task]?.cancel();
    else tasks[task]?.scheduleAt(clock.monotonicUs() + offsetUs);
  };
  const tasks: Task[] = Array.from({ length: taskCount }, (_, task) => {
    let runs = 0;
    return scheduler.createTask(`task ${task}`, (nowUs, dueUs) => {
      ran.push({ task, nowUs, dueUs });
      for (const deed of deedsOfRuns[task]?.[runs++] ?? []) apply(deed);
      return undefined;
    });
  });

  for (const step of steps) {
    if (step.kind === 'deed') {
      apply(step.deed);
    } else {
      clock.advanceUs(step.afterUs);
      if (alarm.armedUs <= clock.monotonicUs()) {
        alarm.armedUs = Number.POSITIVE_INFINITY;
        alarm.onRing?.();
      }
    }
    expect(alarm.armedUs).toBeLessThanOrEqual(scheduler.nextDeadlineUs);
  }
  return ran;
};

const deed: fc.Arbitrary<Deed> = fc.record({
  task: fc.nat({ max: taskCount - 1 }),
  // Small and coarse, so that the past, the present and equal deadlines are common.
  offsetUs: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: -3, max: 12 }) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
});

const story: fc.Arbitrary<Story> = fc.record({
  deedsOfRuns: fc.array(fc.array(fc.array(deed, { maxLength: 3 }), { maxLength: 12 }), {
    minLength: taskCount,
    maxLength: taskCount,
  }),
  steps: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('deed' as const), deed }),
      fc.record({ kind: fc.constant('pass' as const), afterUs: fc.nat({ max: 8 }) }),
    ),
    { maxLength: 60, size: 'max' },
  ),
});

describe('Scheduler against a naive model', () => {
  it('runs the same tasks at the same times in the same order, always armed in time', () => {
    let runs = 0;
    fc.assert(
      fc.property(story, (reported) => {
        const expected = expectedRuns(reported);
        runs += expected.length;
        expect(actualRuns(reported)).toEqual(expected);
      }),
      { seed: 20, numRuns: cases(100, 400) },
    );
    expect(runs).toBeGreaterThan(cases(1000, 4000));
  });
});
