import { describe, expect, it } from 'vitest';
import type { Job } from '../../api/schema.ts';
import { jobDurationUs, jobOutcome } from './job-result.ts';

const job = (given: Partial<Job>): Job => ({
  job_id: 'job-1',
  kind: 'firmware_check',
  target: 'SIM00001',
  state: 'succeeded',
  created_at_us: 1,
  started_at_us: 5,
  finished_at_us: 25,
  result: null,
  error: null,
  ...given,
});

const found = { device: 'Virtual bench', installed: '1.0.0', status: 'outdated' };

describe('jobOutcome', () => {
  it('puts a firmware check into words', () => {
    expect(jobOutcome(job({ result: { ...found, latest: { version: '1.1.0' } } }))).toBe(
      'Virtual bench has 1.0.0: outdated, 1.1.0 is the latest',
    );
    const current = { ...found, status: 'current', latest: { version: '1.0.0' } };
    expect(jobOutcome(job({ result: current }))).toBe('Virtual bench has 1.0.0: current');
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

  it('shows the result of any other job as it is', () => {
    expect(jobOutcome(job({ kind: 'survey', result: { ports: 2 } }))).toBe('{"ports":2}');
  });
});

describe('jobDurationUs', () => {
  it('is known once the job has ended', () => {
    expect(jobDurationUs(job({}))).toBe(20);
    expect(jobDurationUs(job({ finished_at_us: null }))).toBeNull();
  });
});
