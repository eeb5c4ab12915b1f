import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { settled } from '../api/testing/settled.ts';
import { followers, resource } from './resource.ts';

/** Responses given by the test, in the order of the requests. */
const aService = () => {
  const questions: {
    readonly resolve: (value: number) => void;
    readonly reject: (reason: ApiError) => void;
  }[] = [];
  const asked = resource(
    () => new Promise<number>((resolve, reject) => questions.push({ resolve, reject })),
  );
  const answer = (at: number, value: number): void => questions[at]?.resolve(value);
  return { asked, questions, answer };
};

describe('a resource that is refreshed', () => {
  it('has what the service tells after the question, not an answer under way', async () => {
    const { asked, questions, answer } = aService();
    const before = asked.refresh();
    const after = asked.refresh();
    answer(0, 1);
    await before;
    expect(asked.data.value).toBe(1);
    await Promise.resolve();
    expect(questions).toHaveLength(2);
    answer(1, 2);
    await after;
    expect(asked.data.value).toBe(2);
  });

  it('asks once for all who want it during the same question', async () => {
    const { asked, questions, answer } = aService();
    const all = [asked.refresh(), asked.refresh(), asked.refresh(), asked.refresh()];
    answer(0, 1);
    await all[0];
    await Promise.resolve();
    answer(1, 2);
    await Promise.all(all);
    expect([questions.length, asked.data.value]).toEqual([2, 2]);
  });

  it('asks again behind a question that failed', async () => {
    const { asked, questions, answer } = aService();
    const before = asked.refresh();
    const after = asked.refresh();
    questions[0]?.reject(new ApiError({ code: 'no_answer', message: 'No answer' }));
    await before;
    await Promise.resolve();
    answer(1, 2);
    await after;
    expect([asked.data.value, asked.error.value]).toEqual([2, null]);
  });
});

describe('a resource that is used', () => {
  afterEach(() => vi.useRealTimers());

  it('asks again where the service did not answer in time, and not where it refused', async () => {
    const served = await import('./connection.ts');
    served.connection.value = 'live';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { asked, questions, answer } = aService();
    const leave = asked.use();
    questions[0]?.reject(new ApiError({ code: 'no_answer', message: 'No answer' }));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.error.value?.isRetried).toBe(true);
    await vi.advanceTimersByTimeAsync(2000);
    answer(1, 2);
    await vi.advanceTimersByTimeAsync(0);
    expect([asked.data.value, asked.error.value]).toEqual([2, null]);
    void asked.refresh();
    questions[2]?.reject(new ApiError({ code: 'not_found', message: '', retryable: false }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(questions).toHaveLength(3);
    expect(asked.error.value?.isRetried).toBe(false);
    leave();
    served.connection.value = 'connecting';
  });
});

describe('a resource that is followed', () => {
  afterEach(() => vi.useRealTimers());

  const aFollowed = () => {
    const load = vi.fn(async () => 1);
    const found = resource(load, 'number.show', (answer) => answer < 100);
    const leave = found.use(true);
    const report = (answer: number): void => {
      for (const follower of followers.value) follower.take(answer);
    };
    return { found, load, leave, tell: report };
  };

  it('has what the service streams, until it is left', () => {
    const { found, load, leave, tell: report } = aFollowed();
    expect(followers.value.map(({ operation }) => operation)).toEqual(['number.show']);
    report(7);
    expect([found.data.value, load.mock.calls.length]).toEqual([7, 0]);
    leave();
    expect(followers.value).toEqual([]);
  });

  const served = async () => {
    const { connection } = await import('./connection.ts');
    connection.value = 'live';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => {
      connection.value = 'connecting';
    };
  };

  it('takes the first that is streamed as the answer, and asks for none', async () => {
    const end = await served();
    const { found, load, leave, tell: report } = aFollowed();
    report(7);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([found.data.value, load.mock.calls.length]).toEqual([7, 0]);
    leave();
    end();
  });

  it('takes it also where another part of the page has asked, once', async () => {
    const end = await served();
    const { found, load, leave, tell: report } = aFollowed();
    const leaveToo = found.use();
    report(7);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([found.data.value, load.mock.calls.length]).toEqual([7, 1]);
    leave();
    leaveToo();
    end();
  });

  it('asks where nothing is streamed, or nothing can be', async () => {
    const end = await served();
    const silent = aFollowed();
    await vi.advanceTimersByTimeAsync(1000);
    expect([silent.found.data.value, silent.load.mock.calls.length]).toEqual([1, 1]);
    silent.leave();
    const refused = aFollowed();
    for (const { fail } of followers.value) fail(new ApiError({ code: 'busy', message: '' }));
    await vi.advanceTimersByTimeAsync(0);
    expect([refused.found.data.value, refused.found.error.value]).toEqual([1, null]);
    refused.leave();
    end();
  });

  it('was true until the service went, if its stream was in order', async () => {
    const end = await served();
    const { answeredAt } = await import('./connection.ts');
    const { found, leave, tell: report } = aFollowed();
    report(7);
    const lastSign = new Date(Date.now() + 60_000);
    answeredAt.value = lastSign;
    end();
    expect(found.updatedAt.value).toEqual(lastSign);
    leave();
    const unobserved = found.use(true);
    answeredAt.value = new Date(Date.now() + 120_000);
    expect(found.updatedAt.value).toEqual(lastSign);
    unobserved();
    answeredAt.value = null;
  });

  it('is as old as the last answer if its stream was refused', async () => {
    const end = await served();
    const { answeredAt } = await import('./connection.ts');
    const { found, leave, tell: report } = aFollowed();
    report(7);
    const reported = found.updatedAt.value;
    for (const { fail } of followers.value) fail(new ApiError({ code: 'busy', message: '' }));
    answeredAt.value = new Date(Date.now() + 60_000);
    end();
    expect(found.updatedAt.value).toEqual(reported);
    leave();
    answeredAt.value = null;
  });

  it('asks again now and then while its stream is refused', async () => {
    const end = await served();
    const { found, load, leave, tell: report } = aFollowed();
    report(7);
    for (const { fail } of followers.value) fail(new ApiError({ code: 'busy', message: '' }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([found.data.value, load.mock.calls.length]).toEqual([1, 1]);
    leave();
    end();
  });

  it('asks where the stream told a part only', async () => {
    const { found, leave, tell: report } = aFollowed();
    report(100);
    await settled(() => found.data.value === 1);
    leave();
  });

  it('asks where what is streamed may be older than an answer that has just come', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { found, load, leave, tell: report } = aFollowed();
    await found.refresh();
    report(7);
    await settled(() => load.mock.calls.length === 2 && !found.isLoading.value);
    expect(found.data.value).toBe(1);
    vi.advanceTimersByTime(1000);
    report(7);
    expect(found.data.value).toBe(7);
    leave();
  });

  it('asks again where the stream is silent, as the service may have returned to what it sent', async () => {
    const end = await served();
    const { found, load, leave, tell: report } = aFollowed();
    report(7);
    await found.refresh();
    expect(found.data.value).toBe(1);
    load.mockResolvedValue(7);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([found.data.value, load.mock.calls.length]).toEqual([7, 2]);
    leave();
    end();
  });

  it('keeps the last answer where the stream fails, and says why', () => {
    const { found, leave, tell: report } = aFollowed();
    report(7);
    const error = new ApiError({ code: 'busy', message: 'Busy' });
    for (const follower of followers.value) follower.fail(error);
    expect([found.data.value, found.error.value]).toEqual([7, error]);
    leave();
  });
});
