import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { builtInBench } from '../../bench/built-in-bench.ts';
import type { ChannelTable } from '../../bench/channel-table.ts';
import type { DeviceRecord } from '../../bench/device-record.ts';
import { FirmwareChecks } from './firmware-checks.ts';
import { JobRunner } from './job-runner.ts';

const device: DeviceRecord = {
  sn: 'A1',
  uid: 'u-1',
  name: 'Analyzer',
  driver: 'virtual',
  firmware_version: '1.0',
  state: 'present',
  needs: null,
  ports: [],
};
const channels = { devices: async () => [device] } as unknown as ChannelTable;

describe('FirmwareChecks', () => {
  it('does not hold up the end of the daemon for a server that takes its time', async () => {
    const jobs = new JobRunner({ clock: new FakeClock(), newId: () => 'job-1' });
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const checks = new FirmwareChecks({
      channels,
      jobs,
      readIndex: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    await checks.queue('A1', async () => builtInBench);
    await asked;
    await expect(jobs.close()).resolves.toBeUndefined();
  });
});
