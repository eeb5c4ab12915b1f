import { ApiError } from '../api/api-error.ts';

const retryMs = { first: 250, max: 5000 };

interface PageWorkerOptions<Answer> {
  readonly start: () => Worker;
  readonly onAnswer: (answer: Answer) => void;
  readonly onMissing: (error: ApiError) => void;
}

const missing = (): ApiError =>
  new ApiError({
    code: 'worker_missing',
    message: 'A script of the console could not be loaded',
  });

/**
 * Worker of the page, loaded with retries. Requests wait until the worker reports that it runs.
 */
export class PageWorker<Request, Answer> {
  readonly #options: PageWorkerOptions<Answer>;
  #worker: Worker | null = null;
  #waiting: { readonly request: Request; readonly transfer: Transferable[] }[] = [];
  #isLoading = false;
  #delayMs = retryMs.first;
  #isClosed = false;

  constructor(options: PageWorkerOptions<Answer>) {
    this.#options = options;
  }

  get isThere(): boolean {
    return this.#worker !== null;
  }

  ask(request: Request, transfer: Transferable[] = []): void {
    this.load();
    if (this.#worker) this.#worker.postMessage(request, transfer);
    else this.#waiting.push({ request, transfer });
  }

  load(): void {
    if (!this.#isLoading) this.#fetch();
  }

  /** Ends the worker for good, with its memory. */
  close(): void {
    this.#isClosed = true;
    this.#worker?.terminate();
  }

  #fetch(): void {
    if (this.#isClosed) return;
    this.#isLoading = true;
    const worker = this.#options.start();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (this.#isClosed) {
        worker.terminate();
        return;
      }
      if (!this.#worker) this.#use(worker);
      this.#options.onAnswer(data);
    };
    worker.onerror = () => {
      // Later errors are in the browser log, and the worker continues.
      if (this.#worker) return;
      worker.terminate();
      this.#options.onMissing(missing());
      setTimeout(() => this.#fetch(), this.#delayMs);
      this.#delayMs = Math.min(2 * this.#delayMs, retryMs.max);
    };
  }

  #use(worker: Worker): void {
    this.#worker = worker;
    for (const { request, transfer } of this.#waiting) worker.postMessage(request, transfer);
    this.#waiting = [];
  }
}
