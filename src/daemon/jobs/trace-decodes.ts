import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import type { Job } from '../../operations/job.ts';
import type {
  ProjectDecodeRequest,
  ProjectDecodeRpc,
} from '../../table/service/decode-project-file.ts';
import { checkDecodeRequest } from '../../table/service/decode-request.ts';
import type { JobRunner, JobWork } from './job-runner.ts';

export interface DecoderThread extends Port {
  terminate(): Promise<unknown>;
}

interface TraceDecodesOptions {
  readonly jobs: JobRunner;
  readonly projectRoot: string;
  readonly startThread: () => DecoderThread;
  readonly onDefect: (thrown: unknown) => void;
}

const endedEarly = (cause: unknown): BusbarError =>
  (cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new BusbarError('capacity_exceeded', {
        message: 'The databases need more memory than a decoder may have',
        details: { limit: 'decode_memory' },
        retryable: false,
        cause,
      })
    : new BusbarError('internal_error', {
        message: 'The thread that decodes the trace ended before it was done',
        cause,
      });

/** Jobs that decode traces, each in a thread of its own. */
export class TraceDecodes {
  readonly #options: TraceDecodesOptions;

  constructor(options: TraceDecodesOptions) {
    this.#options = options;
  }

  /** Rejects invalid arguments; the job reports what is wrong with files. */
  queue(request: ProjectDecodeRequest): Job {
    checkDecodeRequest(request);
    const work: JobWork = (signal) => this.#run(request, signal);
    return this.#options.jobs.submit('trace_decode', request.output, work, 'long');
  }

  async #run(request: ProjectDecodeRequest, signal: AbortSignal) {
    const { projectRoot, startThread, onDefect } = this.#options;
    const thread = startThread();
    const failure = new Promise<never>((_, reject) => {
      thread.on('error', (thrown) => reject(endedEarly(thrown)));
      thread.on('exit', () => reject(endedEarly(undefined)));
    });
    const { remote } = new RpcPort<ProjectDecodeRpc>(thread, {}, onDefect);
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(cancel, 0, 1);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const result = remote.decodeProjectFile(projectRoot, request, cancel);
      return await Promise.race([result, failure]);
    } finally {
      signal.removeEventListener('abort', stop);
      failure.catch(() => undefined);
      await thread.terminate();
    }
  }
}
