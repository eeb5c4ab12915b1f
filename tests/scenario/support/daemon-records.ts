import { expect } from 'vitest';

const count = expect.any(Number);
/** Lateness in a record, which changes while a daemon runs. */
export const anyLateness = { count, p50: count, p99: count, p999: count, max: count };

/** The same daemon in the same state, a moment earlier or later. */
export const sameDaemon = (record: object): object => ({
  ...record,
  last_minute_lateness_us: anyLateness,
});

/** The same daemon as others saw it while it started: it answers before all of its threads are up. */
export const startingDaemon = (record: { readonly threads: readonly object[] }): object => ({
  ...sameDaemon(record),
  threads: record.threads.map((thread) => ({
    ...thread,
    state: expect.stringMatching(/^(?:starting|running)$/),
  })),
});
