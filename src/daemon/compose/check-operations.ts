import { isLive, type LiveChecks } from '../../check/live/live-checks.ts';
import { unpackResult } from '../../check/packed-report.ts';
import { refuseTraceFields } from '../../check/service/check-setup.ts';
import { checkStart } from '../../operations/check.ts';
import { type Dispatcher, type PlainCaller, PreparedCall } from '../../operations/dispatcher.ts';
import { type Job, jobCancel, jobShow } from '../../operations/job.ts';

const withReport = (shown: unknown): Job => {
  const job = shown as Job;
  return { ...job, result: unpackResult(job.result) };
};

/** Jobs run in the bench thread. Names are looked up, and reports are read, in the client thread. */
export const bindCheckOperations = (
  dispatcher: Dispatcher,
  live: LiveChecks<PlainCaller>,
): void => {
  dispatcher
    .bindPreparation(checkStart, async (request, caller) => {
      if (!isLive(request)) return request;
      refuseTraceFields(request, ['databases', 'bitrate']);
      await live.prepare(request, caller);
      return request;
    })
    .bindPreparation(jobShow, async (request) => new PreparedCall(request, withReport))
    .bindPreparation(jobCancel, async (request) => new PreparedCall(request, withReport));
};
