import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { cases } from '../testing/long.ts';
import { nextPeriod } from './period.ts';
import { Scheduler, type Task } from './scheduler.ts';
import { FakeAlarm } from './testing/fake-alarm.ts';

const setUp = (startUs = 0) => {
  const clock = new FakeClock({ startUs });
  const alarm = new FakeAlarm(clock);
  const errors: { error: unknown; name: string }[] = [];
  const scheduler = new Scheduler({
    clock,
    alarm,
    onError: (error, task) => errors.push({ error, name: task.name }),
  });
  const log: string[] = [];
  const logging = (name: string): Task =>
    scheduler.createTask(name, (nowUs, dueUs) => {
      log.push(`${name}@${dueUs}/${nowUs}`);
    });
  /** Lets time pass while the thread is busy: the alarm takes effect only at the end. */
  const blockUntil = (atUs: number): void => {
    const { onRing } = alarm;
    let rang = false;
    alarm.onRing = () => {
      rang = true;
    };
    clock.advanceToUs(atUs);
    alarm.onRing = onRing;
    if (rang) onRing?.();
  };
  return { clock, alarm, scheduler, errors, log, logging, blockUntil };
};

describe('Scheduler', () => {
  it('runs each task at its own deadline', () => {
    const { clock, log, logging, scheduler } = setUp();
    logging('b').scheduleAt(20.5);
    logging('a').scheduleAt(10);
    expect(scheduler.nextDeadlineUs).toBe(10);
    clock.advanceToUs(15);
    expect(log).toEqual(['a@10/10']);
    expect(scheduler.nextDeadlineUs).toBe(20.5);
    clock.advanceToUs(30);
    expect(log).toEqual(['a@10/10', 'b@20.5/20.5']);
    expect(scheduler.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('runs what became due together in the order of deadlines, equal ones first come first served', () => {
    const { log, logging, blockUntil } = setUp();
    logging('late').scheduleAt(30);
    logging('first').scheduleAt(20);
    logging('second').scheduleAt(20);
    logging('early').scheduleAt(10);
    logging('future').scheduleAt(101);
    blockUntil(100);
    expect(log).toEqual(['early@10/100', 'first@20/100', 'second@20/100', 'late@30/100']);
  });

  it('arms the alarm again that rang too early', () => {
    const { clock, alarm, log, logging } = setUp();
    logging('a').scheduleAt(10);
    clock.advanceToUs(9.5);
    alarm.onRing?.();
    expect(log).toEqual([]);
    clock.advanceToUs(20);
    expect(log).toEqual(['a@10/10']);
  });

  it('moves a deadline instead of adding one', () => {
    const { clock, log, logging, scheduler } = setUp();
    const task = logging('a');
    task.scheduleAt(50);
    task.scheduleAt(20);
    task.scheduleAt(40);
    expect(scheduler.scheduledTasks).toBe(1);
    expect(task.dueUs).toBe(40);
    clock.advanceToUs(100);
    expect(log).toEqual(['a@40/40']);
    expect(task.dueUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('does not run a cancelled task, and lets it be scheduled again', () => {
    const { clock, log, logging } = setUp();
    const task = logging('a');
    task.scheduleAt(10);
    task.cancel();
    task.cancel();
    clock.advanceToUs(20);
    expect(log).toEqual([]);
    task.scheduleAt(30);
    clock.advanceToUs(40);
    expect(log).toEqual(['a@30/30']);
  });

  it('takes Infinity for no deadline, scheduled or returned', () => {
    const { clock, scheduler, log, logging } = setUp();
    const task = logging('a');
    task.scheduleAt(10);
    task.scheduleAt(Number.POSITIVE_INFINITY);
    scheduler.createTask('b', () => Number.POSITIVE_INFINITY).scheduleAt(5);
    clock.advanceToUs(100);
    expect(log).toEqual([]);
    expect(scheduler.scheduledTasks).toBe(0);
  });

  it('lets a run cancel and reschedule others, due ones included', () => {
    const { clock, scheduler, log, logging } = setUp();
    const cancelled = logging('cancelled');
    const advanced = logging('advanced');
    const postponed = logging('postponed');
    scheduler
      .createTask('conductor', () => {
        cancelled.cancel();
        advanced.scheduleAt(10);
        postponed.scheduleAt(50);
      })
      .scheduleAt(10);
    cancelled.scheduleAt(10);
    postponed.scheduleAt(10);
    advanced.scheduleAt(90);
    clock.advanceToUs(100);
    expect(log).toEqual(['advanced@10/10', 'postponed@50/50']);
  });

  it('lets a run schedule itself, the returned deadline having the last word', () => {
    const { clock, scheduler } = setUp();
    const runsUs: number[] = [];
    const task = scheduler.createTask('a', (nowUs) => {
      runsUs.push(nowUs);
      task.scheduleAt(nowUs + 10);
      if (runsUs.length === 2) return nowUs + 25;
      if (runsUs.length === 4) task.cancel();
    });
    task.scheduleAt(10);
    clock.advanceToUs(1000);
    expect(runsUs).toEqual([10, 20, 45, 55]);
  });

  it('runs a task that asks for the past once a pass, after all others', () => {
    const { scheduler, log, logging, blockUntil, clock } = setUp();
    scheduler
      .createTask('eager', (_nowUs, dueUs) => {
        log.push(`eager@${dueUs}`);
        return dueUs + 1;
      })
      .scheduleAt(10);
    logging('patient').scheduleAt(90);
    blockUntil(100);
    expect(log).toEqual(['eager@10', 'patient@90/100']);
    expect(scheduler.nextDeadlineUs).toBe(101);
    clock.advanceToUs(102);
    expect(log.slice(2)).toEqual(['eager@11', 'eager@12']);
  });

  it('runs a task made during a pass in a later one', () => {
    const { scheduler, log, logging, clock } = setUp();
    scheduler
      .createTask('parent', () => {
        logging('child').scheduleAt(0);
        log.push('parent');
      })
      .scheduleAt(10);
    logging('sibling').scheduleAt(10);
    clock.advanceToUs(20);
    expect(log).toEqual(['parent', 'sibling@10/10', 'child@0/11']);
  });

  it('does not start a pass inside a pass', () => {
    const { scheduler, log, logging, clock } = setUp();
    scheduler
      .createTask('outer', () => {
        scheduler.runDue();
        log.push('outer');
      })
      .scheduleAt(10);
    logging('inner').scheduleAt(10);
    clock.advanceToUs(20);
    expect(log).toEqual(['outer', 'inner@10/10']);
  });

  it('reports what a task throws and goes on with the others', () => {
    const { scheduler, log, logging, errors, clock } = setUp();
    const failure = new Error('broken');
    const broken = scheduler.createTask('broken', () => {
      throw failure;
    });
    broken.scheduleAt(10);
    logging('next').scheduleAt(10);
    logging('later').scheduleAt(20);
    clock.advanceToUs(30);
    expect(errors).toEqual([{ error: failure, name: 'broken' }]);
    expect(log).toEqual(['next@10/10', 'later@20/20']);
    expect(broken.dueUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps a deadline that a task set before it threw', () => {
    const { scheduler, errors, clock } = setUp();
    const task = scheduler.createTask('stubborn', (nowUs) => {
      task.scheduleAt(nowUs + 10);
      throw new Error('again');
    });
    task.scheduleAt(10);
    clock.advanceToUs(35);
    expect(errors).toHaveLength(3);
  });

  it('stays armed when the error report itself fails', () => {
    const clock = new FakeClock();
    const scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    let ran = false;
    scheduler
      .createTask('broken', () => {
        throw new Error('unreportable');
      })
      .scheduleAt(10);
    scheduler
      .createTask('next', () => {
        ran = true;
      })
      .scheduleAt(10);
    expect(() => clock.advanceToUs(20)).toThrow('unreportable');
    clock.advanceToUs(30);
    expect(ran).toBe(true);
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY])('refuses %s as a deadline', (deadline) => {
    const { scheduler, logging, errors, clock } = setUp();
    expect(() => logging('a').scheduleAt(deadline)).toThrow('not a number');
    scheduler.createTask('b', () => deadline).scheduleAt(10);
    clock.advanceToUs(20);
    expect(errors).toMatchObject([{ error: { code: 'internal_error' }, name: 'b' }]);
    expect(scheduler.scheduledTasks).toBe(0);
  });

  it('does not touch the alarm while a time-out that nothing waits on keeps moving away', () => {
    const { alarm, clock, logging, log } = setUp();
    let arms = 0;
    const arm = alarm.arm.bind(alarm);
    alarm.arm = (atUs) => {
      arms++;
      arm(atUs);
    };
    const timeout = logging('timeout');
    for (let frame = 0; frame < 1000; frame++) {
      timeout.scheduleAt(clock.monotonicUs() + 500);
      clock.advanceUs(1);
    }
    expect(arms).toBeLessThanOrEqual(3);
    clock.advanceUs(1000);
    expect(log).toEqual(['timeout@1499/1499']);
  });

  it('can be asked to run what is due before the alarm rings', () => {
    const { scheduler, alarm, clock, log, logging } = setUp();
    const { onRing } = alarm;
    alarm.onRing = undefined;
    logging('a').scheduleAt(10);
    logging('b').scheduleAt(30);
    clock.advanceToUs(20);
    scheduler.runDue();
    expect(log).toEqual(['a@10/20']);
    onRing?.();
    alarm.onRing = onRing;
    clock.advanceToUs(40);
    expect(log).toEqual(['a@10/20', 'b@30/30']);
  });

  it('measures how late tasks start', () => {
    const { scheduler, logging, blockUntil, clock } = setUp();
    logging('late').scheduleAt(10);
    logging('punctual').scheduleAt(100);
    blockUntil(40);
    clock.advanceToUs(200);
    expect(scheduler.lateness.summary()).toMatchObject({ count: 2, maxUs: 30, p50Us: 1 });
  });

  it('tells how late tasks started in the last minute', () => {
    const { scheduler, logging, blockUntil, clock } = setUp();
    logging('late').scheduleAt(10);
    blockUntil(5_000);
    logging('punctual').scheduleAt(50_000_000);
    clock.advanceToUs(50_000_000);
    expect(scheduler.lastMinuteLateness()).toMatchObject({ count: 2, maxUs: 4_990 });
    clock.advanceToUs(70_000_000);
    expect(scheduler.lastMinuteLateness()).toMatchObject({ count: 1, maxUs: 0 });
    expect(scheduler.lateness.maxUs).toBe(4_990);
  });

  it('counts the time that an earlier task of the pass took', () => {
    const { scheduler, clock, logging, blockUntil } = setUp();
    scheduler
      .createTask('slow', () => {
        blockUntil(710);
      })
      .scheduleAt(10);
    logging('behind').scheduleAt(10);
    clock.advanceToUs(1000);
    expect(scheduler.lateness.maxUs).toBe(700);
  });

  it('does not drift over many periods, however late each is served', () => {
    const { scheduler, clock } = setUp(123_456.789);
    const startUs = clock.monotonicUs();
    let runs = 0;
    let lastDueUs = 0;
    const periods = cases(100_000, 1_000_000);
    scheduler
      .createTask('periodic', (nowUs, dueUs) => {
        runs++;
        lastDueUs = dueUs;
        // Served up to 40 µs late, as on a real machine.
        clock.advanceUs((runs * 7) % 40);
        return nextPeriod(dueUs, 1000, nowUs);
      })
      .scheduleAt(startUs + 1000);
    clock.advanceToUs(startUs + 1000 * periods);
    expect(runs).toBe(periods);
    expect(Math.abs(lastDueUs - (startUs + 1000 * periods))).toBeLessThan(0.001);
  });
});

describe('a task that resumes', () => {
  it('runs after everything that is due, one in a pass and in turn, and is never late', () => {
    const { clock, scheduler, log, logging, blockUntil } = setUp();
    const [bulk, other] = [logging('bulk'), logging('other')];
    bulk.resume();
    other.resume();
    bulk.resume();
    logging('due').scheduleAt(50);
    expect(scheduler.scheduledTasks).toBe(3);
    blockUntil(100);
    expect(log).toEqual(['due@50/100', 'bulk@0/100']);
    clock.advanceUs(1);
    expect(log.slice(2)).toEqual(['other@0/101']);
    expect(scheduler.lateness.summary()).toMatchObject({ count: 1 });
    clock.advanceUs(1_000);
    expect(log).toHaveLength(3);
  });

  it('lets a deadline go first that comes between two of its slices', () => {
    const { clock, scheduler, log, logging } = setUp();
    let slices = 0;
    const bulk = scheduler.createTask('bulk', () => {
      do clock.spendUs(10);
      while (!scheduler.isDeadlineDue && clock.monotonicUs() < 95);
      log.push(`bulk until ${clock.monotonicUs()}`);
      slices += 1;
      if (slices < 3) bulk.resume();
    });
    bulk.resume();
    logging('first').scheduleAt(25);
    logging('second').scheduleAt(57);
    clock.advanceToUs(200);
    expect(log).toEqual([
      'bulk until 30',
      'first@25/30',
      'bulk until 60',
      'second@57/60',
      'bulk until 100',
    ]);
  });

  it('waits for a deadline that it is given instead, and for nothing once it is cancelled', () => {
    const { clock, log, logging } = setUp();
    const [moved, cancelled] = [logging('moved'), logging('cancelled')];
    moved.resume();
    cancelled.resume();
    moved.scheduleAt(30);
    cancelled.cancel();
    expect([moved.dueUs, cancelled.dueUs]).toEqual([30, Number.POSITIVE_INFINITY]);
    clock.advanceUs(100);
    expect(log).toEqual(['moved@30/30']);
  });

  it('runs in a later pass where it had its turn in this one', () => {
    const { clock, scheduler } = setUp();
    const passes: number[] = [];
    let pass = 0;
    const task = scheduler.createTask('task', () => {
      passes.push(pass);
      if (passes.length < 3) task.resume();
    });
    task.scheduleAt(0);
    for (pass = 1; pass <= 3; pass++) scheduler.runDue();
    expect(passes).toEqual([1, 2, 3]);
    clock.advanceUs(10);
    expect(passes).toHaveLength(3);
  });
});
