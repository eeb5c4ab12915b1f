import type { CheckReport, CheckResult } from '../check-record.ts';

export const sampleCheck = (values: Partial<CheckResult> = {}): CheckResult => ({
  id: 'engine',
  check: 'cycle Engine 20ms +-10%',
  verdict: 'failed',
  reason: '1 of 99 cycle times is outside 18 ms to 22 ms',
  figures: [
    { name: 'count', value: 100, unit: '' },
    { name: 'mean', value: 20.123456789, unit: 'ms' },
  ],
  violation_total: 1,
  violations: [
    {
      time_us: 1_031_200,
      event: 52,
      message: '31.2 ms after the one before',
      excerpt: [
        {
          time_us: 1_000_000,
          event: 51,
          channel: 1,
          text: '100#00',
          is_violation: false,
        },
        {
          time_us: 1_031_200,
          event: 52,
          channel: 1,
          text: '100#01',
          is_violation: true,
        },
      ],
    },
  ],
  plot: {
    name: 'cycle time',
    unit: 'ms',
    low: 18,
    high: 22,
    points: [
      { time_us: 20_000, min: 19.9, max: 20.1 },
      { time_us: 1_031_200, min: 20, max: 31.2 },
    ],
  },
  ...values,
});

export const passedCheck: CheckResult = sampleCheck({
  id: '2',
  check: 'never bus_off',
  verdict: 'passed',
  reason: null,
  figures: [],
  violation_total: 0,
  violations: [],
  plot: null,
});

export const unseenCheck: CheckResult = {
  ...passedCheck,
  id: 'door',
  check: 'cycle Door 100ms +-10%',
  verdict: 'not_observed',
  reason: 'No frame of Door was seen',
};

export const sampleReport = (
  checks: readonly CheckResult[],
  values: Partial<CheckReport> = {},
): CheckReport => {
  const count = (verdict: CheckResult['verdict']): number =>
    checks.filter((check) => check.verdict === verdict).length;
  const [passed, failed, unseen] = [count('passed'), count('failed'), count('not_observed')];
  return {
    verdict: failed > 0 ? 'failed' : unseen > 0 ? 'not_observed' : 'passed',
    passed,
    failed,
    not_observed: unseen,
    source: 'trace',
    started_at_us: 1_767_225_600_000_000,
    duration_us: 2_000_000,
    events: 1234,
    gaps: 1,
    missed: 12,
    checks,
    environment: {
      busbar_version: '0.1.0',
      node_version: 'v22.0.0',
      platform: 'linux x64',
      trace: { file: 'drive.blf', format: 'blf', size: 4711, sha256: 'ab'.repeat(32) },
      channels: [
        {
          channel: 1,
          bus: 'canfd',
          name: 'powertrain',
          selector: 'SIM00001/0',
          mode: 'normal',
          bitrate: 500_000,
          data_bitrate: 2_000_000,
        },
      ],
      databases: [{ file: 'vehicle.dbc', channel: null, size: 815, sha256: 'cd'.repeat(32) }],
    },
    ...values,
  };
};
