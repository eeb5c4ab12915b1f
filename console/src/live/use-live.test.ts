import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubPage } from '../api/testing/stub-page.ts';
import type { StreamState } from '../streams/keep-connected.ts';

beforeEach(() => {
  stubPage();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});
afterEach(() => vi.unstubAllGlobals());

describe('liveness', () => {
  it.each<[StreamState, boolean]>([
    ['connecting', true],
    ['live', true],
    ['stopped', true],
    ['reconnecting', false],
    ['token', false],
    ['ended', false],
  ])('of a stream that is %s is fresh: %s', async (state, isFresh) => {
    const { liveness } = await import('./use-live.ts');
    const { connection } = await import('../state/connection.ts');
    connection.value = 'live';
    const told = new Date(5);
    const report = { state: signal(state), updatedAt: signal(told) };
    expect(liveness(report).staleSince).toBe(isFresh ? null : told);
  });
});
