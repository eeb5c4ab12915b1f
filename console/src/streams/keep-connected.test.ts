import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { keepConnected } from './keep-connected.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('keepConnected', () => {
  it('leaves nothing behind of the attempts before, however many there were', async () => {
    const run = new AbortController();
    let attempts = 0;
    const connect = async (): Promise<ApiError> => {
      attempts += 1;
      return new ApiError({ code: 'unreachable', message: 'Nothing answers' });
    };
    void keepConnected({ stopped: run.signal, connect, become: () => {} });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(attempts).toBeGreaterThan(100);
    expect(getEventListeners(run.signal, 'abort')).toHaveLength(1);
    run.abort();
    expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
