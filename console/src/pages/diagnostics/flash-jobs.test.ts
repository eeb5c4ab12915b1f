import { describe, expect, it } from 'vitest';
import type { FlashReport, Job } from '../../api/client.ts';
import { flashJobsOf, progressText, reportOf } from './flash-jobs.ts';

const job = (given: Partial<Job>): Job => ({
  ...{ job_id: 'job-1', kind: 'flash', target: 'engine', state: 'running', created_at_us: 1 },
  ...{ started_at_us: null, finished_at_us: null, progress: null, result: null, error: null },
  ...given,
});

const report: FlashReport = {
  ...{ ecu: 'engine', file: 'image.hex', sequence: 'steps.json', bytes: 4096, requests: 9 },
  ...{ segments: [{ address: 0, size: 4096 }], pending: 0, duration_us: 1000, steps: [] },
};

describe('flash jobs', () => {
  it('are those of one ECU, without other jobs', () => {
    const jobs = [
      job({ job_id: 'job-3' }),
      job({ job_id: 'job-2', target: 'door' }),
      job({ job_id: 'job-1', kind: 'firmware_check' }),
    ];
    expect(flashJobsOf(jobs, 'engine').map(({ job_id }) => job_id)).toEqual(['job-3']);
  });

  it('show progress in percent, bytes and steps', () => {
    const step = { step: 3, steps: 4, name: 'download' };
    expect(progressText({ percent: 50, bytes: 2048, total_bytes: 4096, ...step })).toBe(
      '50.0 %, 2 KiB of 4 KiB, step 3 of 4: download',
    );
  });

  it('have a report at their end', () => {
    expect(reportOf(job({ state: 'succeeded', result: report }))).toEqual(report);
    expect(reportOf(job({}))).toBeNull();
  });
});
