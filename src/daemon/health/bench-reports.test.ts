import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { BenchReports } from './bench-reports.ts';
import type { DaemonHealth } from './reports.ts';

const healthy = { status: 'ok', uptime_us: 5 } as DaemonHealth;

const reportsOf = (state: { error: BusbarError | null }) =>
  new BenchReports({
    clock: { unixUs: () => 1000 },
    startedAtUs: 400,
    bench: {
      daemonHealth: async () => {
        if (state.error) throw state.error;
        return healthy;
      },
      channelReports: async () => [],
      instances: async () => [],
      recorderReports: async () => [],
    },
  });

const hung = new BusbarError('instance_unresponsive');

describe('the reports of the bench thread', () => {
  it('are what it says of itself', async () => {
    expect(await reportsOf({ error: null }).ask()).toEqual({
      daemon: healthy,
      channels: [],
      instances: [],
      recorders: [],
    });
  });

  it('are the last ones, but degraded, while a plugin holds it up', async () => {
    const state: { error: BusbarError | null } = { error: null };
    const reports = reportsOf(state);
    await reports.ask();
    state.error = hung;
    expect((await reports.ask()).daemon).toEqual({ status: 'degraded', uptime_us: 600 });
    state.error = null;
    expect((await reports.ask()).daemon).toBe(healthy);
  });

  it('fail where there were none before, and where the thread fails otherwise', async () => {
    await expect(reportsOf({ error: hung }).ask()).rejects.toBe(hung);
    const state: { error: BusbarError | null } = { error: null };
    const reports = reportsOf(state);
    await reports.ask();
    state.error = new BusbarError('internal_error');
    await expect(reports.ask()).rejects.toBe(state.error);
  });
});
