import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { FirmwareReport } from '../../bench/firmware/firmware-record.ts';
import { JobRunner } from './job-runner.ts';

const unixStartUs = 1_700_000_000_000_000;

const report: FirmwareReport = {
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  device: 'Virtual bench',
  installed: '1.0.0',
  status: 'current',
  latest: { version: '1.0.0', notes: null, url: null },
  index: 'index.json',
};

/** Work that ends when the test resolves it, and records its signal. */
class ManualWork {
  signal: AbortSignal | undefined;
  succeed: (result: FirmwareReport) => void = () => {};
  fail: (thrown: unknown) => void = () => {};

  readonly work = (signal: AbortSignal): Promise<FirmwareReport> => {
    this.signal = signal;
    return new Promise((resolve, reject) => {
      this.succeed = resolve;
      this.fail = reject;
    });
  };
}

/** Lets every reaction to an already settled promise run: a macrotask comes after all of them. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const setup = (options: { maxRunning?: number; maxKept?: number } = {}) => {
  const clock = new FakeClock({ unixStartUs });
  const defects: unknown[] = [];
  let ids = 0;
  const runner = new JobRunner({
    clock,
    newId: () => `job-${++ids}`,
    onDefect: (thrown) => defects.push(thrown),
    ...options,
  });
  const submit = () => {
    const manual = new ManualWork();
    const job = runner.submit('firmware_check', 'SIM00001', manual.work);
    return { id: job.job_id, job, manual };
  };
  const states = () => runner.list().map((job) => `${job.job_id} ${job.state}`);
  return { clock, defects, runner, submit, states };
};

const errorOf = (call: () => unknown): BusbarError => {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown;
  }
  return expect.fail('no BusbarError was thrown');
};

describe('a job', () => {
  it('is answered as queued before its work has begun', async () => {
    const { submit, runner } = setup();
    const { id, job, manual } = submit();
    expect(manual.signal).toBeUndefined();
    expect(job).toEqual({
      job_id: 'job-1',
      kind: 'firmware_check',
      target: 'SIM00001',
      state: 'queued',
      created_at_us: unixStartUs,
      started_at_us: null,
      finished_at_us: null,
      progress: null,
      result: null,
      error: null,
    });
    await settled();
    expect(manual.signal?.aborted).toBe(false);
    expect(runner.get(id).state).toBe('running');
    expect(job.state).toBe('queued');
  });

  it('carries its times and its result once it succeeded', async () => {
    const { submit, runner, clock } = setup({ maxRunning: 1 });
    const first = submit();
    const second = submit();
    clock.advanceUs(10);
    await settled();
    clock.advanceUs(20);
    first.manual.succeed(report);
    await settled();
    clock.advanceUs(30);
    second.manual.succeed({ ...report, status: 'outdated' });
    await settled();
    expect(runner.get(first.id)).toMatchObject({
      state: 'succeeded',
      created_at_us: unixStartUs,
      started_at_us: unixStartUs + 10,
      finished_at_us: unixStartUs + 30,
      result: report,
      error: null,
    });
    expect(runner.get(second.id)).toMatchObject({
      created_at_us: unixStartUs,
      started_at_us: unixStartUs + 30,
      finished_at_us: unixStartUs + 60,
      result: { ...report, status: 'outdated' },
    });
  });

  it('carries the error record of a BusbarError it failed with', async () => {
    const { submit, runner, defects } = setup();
    const { id, manual } = submit();
    await settled();
    const error = new BusbarError('file_not_found', {
      message: 'No index',
      details: { file: 'x' },
    });
    manual.fail(error);
    await settled();
    expect(runner.get(id)).toMatchObject({
      state: 'failed',
      result: null,
      error: { code: 'file_not_found', message: 'No index', details: { file: 'x' } },
    });
    expect(defects).toEqual([]);
  });

  it('hides the message of any other error and hands the error to the defect listener', async () => {
    const { runner, defects } = setup();
    const defect = new TypeError('password is hunter2');
    const { job_id } = runner.submit('check', 'x', () => {
      throw defect;
    });
    await settled();
    const job = runner.get(job_id);
    expect(job.error).toMatchObject({ code: 'internal_error', details: {}, retryable: false });
    expect(JSON.stringify(job)).not.toContain('hunter2');
    expect(defects).toEqual([defect]);
  });
});

describe('the queue', () => {
  it('runs four at once and starts the rest in the order they came', async () => {
    const { submit, states } = setup();
    const jobs = Array.from({ length: 6 }, submit);
    await settled();
    const before = ['job-6 queued', 'job-5 queued', 'job-4 running', 'job-3 running'];
    expect(states()).toEqual([...before, 'job-2 running', 'job-1 running']);
    jobs[2]?.manual.succeed(report);
    await settled();
    expect(states().slice(0, 4)).toEqual([
      'job-6 queued',
      'job-5 running',
      'job-4 running',
      'job-3 succeeded',
    ]);
    jobs[0]?.manual.fail(new BusbarError('request_timeout'));
    await settled();
    expect(states()[0]).toBe('job-6 running');
  });
});

describe('the memory of jobs', () => {
  it('forgets the job that ended first, not the one that was made first', async () => {
    const { submit, states } = setup({ maxKept: 3 });
    const [first, second] = [submit(), submit(), submit()];
    await settled();
    second?.manual.succeed(report);
    await settled();
    first?.manual.succeed(report);
    await settled();
    submit();
    expect(states()).toEqual(['job-4 queued', 'job-3 running', 'job-1 succeeded']);
    submit();
    expect(states()).toEqual(['job-5 queued', 'job-4 queued', 'job-3 running']);
  });

  it('refuses a 65th job while 64 are unfinished, and leaves no trace of it', async () => {
    const { submit, runner, states } = setup();
    const [first] = Array.from({ length: 64 }, submit);
    await settled();
    const before = states();
    const error = errorOf(submit);
    expect(error.code).toBe('capacity_exceeded');
    expect(error.details).toEqual({ limit: 64 });
    expect(states()).toEqual(before);
    first?.manual.succeed(report);
    await settled();
    submit();
    expect(runner.list()).toHaveLength(64);
    expect(errorOf(submit).code).toBe('capacity_exceeded');
  });

  it('says which job it does not know', () => {
    const error = errorOf(() => setup().runner.get('job-9'));
    expect(error.code).toBe('job_not_found');
    expect(error.details).toEqual({ job_id: 'job-9' });
  });
});

describe('cancelling', () => {
  it('ends a queued job without starting it', async () => {
    const { submit, runner } = setup({ maxRunning: 1 });
    submit();
    const { id, manual } = submit();
    await settled();
    expect(await runner.cancel(id)).toMatchObject({
      ...{ state: 'cancelled', started_at_us: null },
      error: { code: 'operation_cancelled' },
    });
    expect(manual.signal).toBeUndefined();
  });

  it('aborts a running job and returns it when it has ended', async () => {
    const { submit, runner, defects } = setup();
    const { id, manual } = submit();
    await settled();
    const cancelled = runner.cancel(id);
    expect(manual.signal?.aborted).toBe(true);
    manual.fail(new Error('aborted'));
    expect(await cancelled).toMatchObject({ state: 'cancelled', job_id: id });
    expect(defects).toEqual([]);
  });

  it('returns a job that has ended as it is', async () => {
    const { submit, runner } = setup();
    const { id, manual } = submit();
    await settled();
    manual.succeed(report);
    await settled();
    expect(await runner.cancel(id)).toMatchObject({ state: 'succeeded' });
  });
});

describe('long jobs', () => {
  it('have places of their own, so that short ones never wait for them', async () => {
    const { runner, submit, states } = setup({ maxRunning: 1 });
    const long = new ManualWork();
    runner.submit('flash', 'engine', long.work, 'long');
    runner.submit('flash', 'door', long.work, 'long');
    submit();
    await settled();
    expect(states()).toEqual(['job-3 running', 'job-2 queued', 'job-1 running']);
  });

  it('show their progress', async () => {
    const { runner } = setup();
    const progress = { percent: 50, bytes: 1, total_bytes: 2, step: 1, steps: 2, name: 'erase' };
    const { job_id } = runner.submit('flash', 'engine', (_, show) => {
      show(progress);
      return new Promise(() => {});
    });
    await settled();
    expect(runner.get(job_id).progress).toEqual(progress);
  });
});

describe('closing', () => {
  it('aborts what runs, never starts what waits, and forgets all of it', async () => {
    const { submit, runner, defects } = setup({ maxRunning: 1 });
    const running = submit();
    const waiting = submit();
    await settled();
    let closed = false;
    const closing = runner.close().then(() => {
      closed = true;
    });
    await settled();
    expect(running.manual.signal?.aborted).toBe(true);
    expect(closed).toBe(false);
    running.manual.fail(new Error('aborted'));
    await closing;
    expect(waiting.manual.signal).toBeUndefined();
    expect(runner.list()).toEqual([]);
    expect(defects).toEqual([]);
  });

  it('discards a job that was submitted but not yet started', async () => {
    const { submit, runner } = setup();
    const { manual } = submit();
    await runner.close();
    await settled();
    expect(manual.signal).toBeUndefined();
    expect(errorOf(submit).code).toBe('internal_error');
  });
});
