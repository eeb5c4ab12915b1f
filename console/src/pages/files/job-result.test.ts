import { describe, expect, it } from 'vitest';
import type { FirmwareReport, Job } from '../../api/client.ts';
import { jobOutcome } from './job-result.ts';

const job = (given: Partial<Job>): Job => ({
  job_id: 'job-1',
  kind: 'firmware_check',
  target: 'SIM00001',
  state: 'succeeded',
  created_at_us: 1,
  started_at_us: 5,
  finished_at_us: 25,
  progress: null,
  result: null,
  error: null,
  ...given,
});

const report = (given: Partial<FirmwareReport>): FirmwareReport => ({
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  device: 'Virtual bench',
  installed: '1.0.0',
  status: 'outdated',
  latest: { version: '1.1.0', notes: null, url: null },
  index: 'firmware.json',
  ...given,
});

describe('jobOutcome', () => {
  it('puts a flashed image into words', () => {
    const flashed = {
      ecu: 'engine',
      file: 'image.hex',
      sequence: 'steps.json',
      bytes: 65_536,
      segments: [{ address: 0, size: 65_536 }],
      requests: 20,
      pending: 0,
      duration_us: 2_500_000,
      steps: [],
    };
    expect(jobOutcome(job({ kind: 'flash', result: flashed }))).toBe('65536 bytes of image.hex');
  });

  it('puts a firmware check into words', () => {
    expect(jobOutcome(job({ result: report({}) }))).toBe(
      'Virtual bench 1.0.0: outdated, latest 1.1.0',
    );
    const current = report({
      status: 'current',
      latest: { version: '1.0.0', notes: null, url: null },
    });
    expect(jobOutcome(job({ result: current }))).toBe('Virtual bench 1.0.0: current');
    const unlisted = report({ status: 'not_listed', latest: null });
    expect(jobOutcome(job({ result: unlisted }))).toBe('Virtual bench 1.0.0: not listed');
  });

  it('shows why a job failed, and nothing before it ended', () => {
    const error = {
      code: 'firmware_index_missing',
      message: 'No index',
      details: {},
      retryable: false,
    };
    expect(jobOutcome(job({ state: 'failed', error: error as Job['error'] }))).toBe(
      'firmware_index_missing: No index',
    );
    expect(jobOutcome(job({ state: 'running' }))).toBe('');
  });
});
