import { BusbarError } from '../../base/errors/busbar-error.ts';
import { CallControl, type Remote, RpcPort } from '../../base/threads/rpc-port.ts';
import type { PackedReport } from '../../check/packed-report.ts';
import type {
  ProjectCheckRequest,
  ProjectCheckRpc,
  ReadProgress,
} from '../../check/service/check-project-file.ts';
import { refuseCheckRequest, refuseLiveFields } from '../../check/service/check-setup.ts';
import type { Job, JobProgress } from '../../operations/job.ts';
import type {
  ProjectDecodeRequest,
  ProjectDecodeRpc,
} from '../../table/service/decode-project-file.ts';
import { checkDecodeRequest } from '../../table/service/decode-request.ts';
import type { DecoderThread } from '../../table/service/decoder-threads.ts';
import type { JobRunner } from './job-runner.ts';

/** A check request, which may have fields of live checks. */
type CheckRequest = Omit<ProjectCheckRequest, 'trace'> & { readonly trace?: string | undefined };

interface TraceJobsOptions {
  readonly jobs: JobRunner;
  readonly projectRoot: string;
  readonly startThread: () => DecoderThread;
  readonly onDefect: (thrown: unknown) => void;
}

type TraceRpc = ProjectDecodeRpc & {
  checkProjectFile(...values: Parameters<ProjectCheckRpc['checkProjectFile']>): PackedReport;
};

const endedEarly = (cause: unknown): BusbarError =>
  (cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new BusbarError('capacity_exceeded', {
        message: 'The databases need more memory than a decoder may have',
        details: { limit: 'decode_memory' },
        retryable: false,
        cause,
      })
    : new BusbarError('internal_error', {
        message: 'The thread that reads the trace ended before it was done',
        cause,
      });

const progressOf = ({ bytes, totalBytes }: ReadProgress): JobProgress => ({
  percent: totalBytes === 0 ? 0 : Math.floor((1000 * bytes) / totalBytes) / 10,
  bytes,
  total_bytes: totalBytes,
  step: 1,
  steps: 1,
  name: 'Reading the trace',
});

/** Jobs that decode and check traces, each in a thread of its own. */
export class TraceJobs {
  readonly #options: TraceJobsOptions;

  constructor(options: TraceJobsOptions) {
    this.#options = options;
  }

  /** Rejects invalid arguments; the job reports what is wrong with files. */
  queueDecode(request: ProjectDecodeRequest): Job {
    checkDecodeRequest(request);
    const { jobs, projectRoot } = this.#options;
    return jobs.submit(
      'trace_decode',
      request.output,
      (signal) =>
        this.#inThread(signal, (remote, cancel) =>
          remote.decodeProjectFile(projectRoot, request, cancel),
        ),
      'long',
    );
  }

  /** The same for checks. */
  queueCheck(request: CheckRequest): Job {
    const { trace = '' } = request;
    refuseLiveFields(request, ['seconds', 'channels', 'after']);
    refuseCheckRequest(request);
    const { jobs, projectRoot } = this.#options;
    return jobs.submit(
      'check',
      trace,
      (signal, report) => {
        const control = new CallControl({
          report: (progress) => report(progressOf(progress as ReadProgress)),
        });
        return this.#inThread(signal, (remote, cancel) =>
          remote.checkProjectFile(projectRoot, { ...request, trace }, cancel, control),
        );
      },
      'long',
    );
  }

  async #inThread<Result>(
    signal: AbortSignal,
    work: (remote: Remote<TraceRpc>, cancel: Int32Array) => Promise<Result>,
  ): Promise<Result> {
    const { startThread, onDefect } = this.#options;
    const thread = startThread();
    const failure = new Promise<never>((_, reject) => {
      thread.on('error', (thrown) => reject(endedEarly(thrown)));
      thread.on('exit', () => reject(endedEarly(undefined)));
    });
    const { remote } = new RpcPort<TraceRpc>(thread, {}, onDefect);
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(cancel, 0, 1);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([work(remote, cancel), failure]);
    } finally {
      signal.removeEventListener('abort', stop);
      failure.catch(() => undefined);
      await thread.terminate();
    }
  }
}
