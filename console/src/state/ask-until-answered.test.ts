import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { nextStep } from '../api/next-step.ts';
import { retryUntilAnswered } from './ask-until-answered.ts';

const late = () => new ApiError({ code: 'no_answer', message: 'No answer' });

describe('askUntilAnswered', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  const asking = (load: () => Promise<number>) => {
    const take = vi.fn();
    const fail = vi.fn<(reason: ApiError) => void>();
    return { take, fail, stop: retryUntilAnswered(load, { take, fail }) };
  };

  it('asks again after a failure that may pass, and says so', async () => {
    const load = vi.fn<() => Promise<number>>().mockRejectedValueOnce(late()).mockResolvedValue(7);
    const { take, fail } = asking(load);
    await vi.advanceTimersByTimeAsync(0);
    expect(nextStep(fail.mock.calls[0]?.[0] as ApiError)).toContain('the console keeps trying');
    await vi.advanceTimersByTimeAsync(2000);
    expect(take).toHaveBeenCalledExactlyOnceWith(7);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('asks no more after a refusal for good, or once it is stopped', async () => {
    const final = new ApiError({ code: 'gone', message: '', retryable: false });
    const refusing = vi.fn<() => Promise<number>>().mockRejectedValue(final);
    asking(refusing);
    const silent = vi.fn<() => Promise<number>>().mockImplementation(() => Promise.reject(late()));
    const { stop } = asking(silent);
    await vi.advanceTimersByTimeAsync(0);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([refusing.mock.calls.length, silent.mock.calls.length]).toEqual([1, 1]);
  });
});
