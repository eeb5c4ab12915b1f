import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../api/api-error.ts';
import { PageWorker } from './page-worker.ts';

class FakeWorker {
  readonly asked: unknown[] = [];
  isTerminated = false;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  postMessage(request: unknown): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

const setUp = () => {
  const started: FakeWorker[] = [];
  const answers: string[] = [];
  const errors: ApiError[] = [];
  const worker = new PageWorker<string, string>({
    start: () => {
      started.push(new FakeWorker());
      return started.at(-1) as unknown as Worker;
    },
    onAnswer: (answer) => answers.push(answer),
    onMissing: (error) => errors.push(error),
  });
  return { worker, started, answers, errors };
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('PageWorker', () => {
  it('is fetched once, and asked in order when it has spoken', () => {
    const { worker, started, answers } = setUp();
    expect(started).toEqual([]);
    worker.load();
    worker.ask('one');
    worker.ask('two');
    const [fake] = started as [FakeWorker];
    expect([started.length, fake.asked, worker.isThere]).toEqual([1, [], false]);
    fake.onmessage?.({ data: 'here' });
    worker.ask('three');
    expect([fake.asked, answers]).toEqual([['one', 'two', 'three'], ['here']]);
  });

  it('is fetched again until it comes, with all that was asked meanwhile', () => {
    const { worker, started, errors } = setUp();
    worker.ask('one');
    for (let n = 0; n < 6; n++) {
      started.at(-1)?.onerror?.();
      vi.advanceTimersByTime(5000);
    }
    expect(errors.map(({ code }) => code)).toEqual(Array(6).fill('worker_missing'));
    expect(started.map(({ isTerminated }) => isTerminated)).toEqual([
      ...Array(6).fill(true),
      false,
    ]);
    started.at(-1)?.onmessage?.({ data: 'here' });
    expect(started.map(({ asked }) => asked.length)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it('goes on when something goes wrong in it later', () => {
    const { worker, started, errors } = setUp();
    worker.load();
    started[0]?.onmessage?.({ data: 'here' });
    started[0]?.onerror?.();
    vi.runAllTimers();
    worker.ask('one');
    expect([started.length, errors.length, started[0]?.asked]).toEqual([1, 0, ['one']]);
  });
});
