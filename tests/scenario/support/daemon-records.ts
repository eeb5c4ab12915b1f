import { expect } from 'vitest';

const count = expect.any(Number);
/** Lateness in a record, which changes while a daemon runs. */
export const anyLateness = { count, p50: count, p99: count, p999: count, max: count };

/** The same daemon in the same state, slightly earlier or later. */
export const sameDaemon = (record: object): object => ({
  ...record,
  last_minute_lateness_us: anyLateness,
});

/** The same daemon as seen during its start: it responds before all of its threads run. */
export const startingDaemon = (record: { readonly threads: readonly object[] }): object => ({
  ...sameDaemon(record),
  threads: record.threads.map((thread) => ({
    ...thread,
    state: expect.stringMatching(/^(?:starting|running)$/),
  })),
});
