import { Type } from 'typebox';
import { ErrorBody } from '../base/errors/error-schema.ts';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { FirmwareReport } from '../bench/firmware/firmware-record.ts';
import { CheckReport } from '../check/check-record.ts';
import { FlashReport } from '../diagnostics/service/flash-record.ts';
import { TraceDecoding } from '../table/table-records.ts';
import { defineOperation } from './define.ts';

export const JobProgress = Type.Object({
  percent: Type.Number({ minimum: 0, maximum: 100 }),
  bytes: counted('Bytes that are done'),
  total_bytes: counted('Bytes of all'),
  step: counted('Step under way, from 1'),
  steps: counted('Steps of all'),
  name: Type.String({ description: 'Name of the step' }),
});
export type JobProgress = RecordOf<typeof JobProgress>;

/**
 * Work that continues after the response:
 *
 * ```
 *          slot free              done
 *  queued ─────────────▶ running ──────────▶ succeeded
 *     │                     │
 *     │                     ├── error ─────▶ failed
 *     └────── cancel ───────┴──────────────▶ cancelled
 * ```
 *
 * Implemented by `src/daemon/jobs/job-runner.ts`. Completed jobs are removed when the list is full.
 */
export const Job = named(
  'Job',
  Type.Object({
    job_id: Type.String(),
    kind: Type.String(),
    target: Type.String({ description: 'Resource that the job works on' }),
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    created_at_us: Type.Integer({ description: 'Unix time in microseconds' }),
    started_at_us: nullable(Type.Integer()),
    finished_at_us: nullable(Type.Integer()),
    progress: nullable(JobProgress, { description: 'null if the job reports none' }),
    result: Type.Union([FirmwareReport, TraceDecoding, FlashReport, CheckReport, Type.Null()], {
      description:
        'Result of the job, by its kind; null until it has succeeded. Lists have null for reports of checks',
    }),
    error: nullable(ErrorBody),
  }),
);
export type Job = RecordOf<typeof Job>;

export const jobList = defineOperation({
  id: 'job.list',
  summary: 'List asynchronous jobs, newest first',
  result: named('JobList', Type.Object({ jobs: Type.Array(Job) })),
  errors: [],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['job', 'list'], columns: ['job_id', 'kind', 'target', 'state', 'created_at_us'] },
  http: { method: 'GET', path: '/api/v1/jobs', success: 200 },
});

export const jobShow = defineOperation({
  id: 'job.show',
  summary: 'Show one job with its result or error',
  parameters: {
    job_id: Type.String({
      description: 'Job ID, as returned by the operation that started it',
      minLength: 1,
      maxLength: 128,
      examples: ['job-1'],
    }),
  },
  result: Job,
  errors: ['job_not_found'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  prepared: true,
  cli: { words: ['job', 'show'], positionals: ['job_id'] },
  http: { method: 'GET', path: '/api/v1/jobs/{job_id}', success: 200 },
});

export const jobCancel = defineOperation({
  id: 'job.cancel',
  summary: 'Cancel a job',
  description:
    'Returns when the job has ended. A job that has ended already is returned as it is. Changes that it made, such as memory of an ECU that was written, remain.',
  parameters: jobShow.parameters.properties,
  result: Job,
  errors: ['job_not_found'],
  permission: 'operate',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  prepared: true,
  cli: { words: ['job', 'cancel'], positionals: ['job_id'] },
  http: { method: 'DELETE', path: '/api/v1/jobs/{job_id}', success: 200 },
  examples: ['busbar job cancel job-1'],
});
