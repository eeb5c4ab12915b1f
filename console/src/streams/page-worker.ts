import { ApiError } from '../api/api-error.ts';

const retryMs = { first: 250, max: 5000 };

interface PageWorkerOptions<Answer> {
  readonly start: () => Worker;
  readonly onAnswer: (answer: Answer) => void;
  /** Told each time that the worker could not be loaded; it is tried again. */
  readonly onMissing: (error: ApiError) => void;
}

const missing = (): ApiError =>
  new ApiError({
    code: 'worker_missing',
    message: 'A script of the console could not be loaded',
  });

/**
 * A worker of the page that has to be fetched first, which is tried until it is there. The worker says
 * something as soon as it runs; what is asked of it before that waits.
 */
export class PageWorker<Request, Answer> {
  readonly #options: PageWorkerOptions<Answer>;
  #worker: Worker | null = null;
  #waiting: { readonly request: Request; readonly transfer: Transferable[] }[] = [];
  #isLoading = false;
  #delayMs = retryMs.first;

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

  /** Has it fetched, unless it was already. */
  load(): void {
    if (!this.#isLoading) this.#fetch();
  }

  #fetch(): void {
    this.#isLoading = true;
    const worker = this.#options.start();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (!this.#worker) this.#use(worker);
      this.#options.onAnswer(data);
    };
    worker.onerror = () => {
      // Once it runs, what goes wrong in it is in the log of the browser, and it goes on.
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
