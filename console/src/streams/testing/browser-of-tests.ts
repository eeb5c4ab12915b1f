import { afterEach, beforeEach } from 'vitest';
import { FakeSseService } from './fake-sse-service.ts';

/** Browser in which tests open tabs. */
export class BrowserOfTests {
  #service: FakeSseService | null = null;
  readonly #open: AbortController[] = [];

  /** The service of the running test. */
  get service(): FakeSseService {
    if (!this.#service) throw new Error('No test runs');
    return this.#service;
  }

  /** Aborts what a tab follows, at the latest when the test ends. */
  open(): AbortController {
    const stopped = new AbortController();
    this.#open.push(stopped);
    return stopped;
  }

  begin(): void {
    this.#service = new FakeSseService();
    this.#service.shareWorker();
  }

  end(): void {
    for (const stopped of this.#open.splice(0)) stopped.abort();
    this.service.remove();
    this.#service = null;
  }
}

/** Gives each test of a file a service, and one worker for all tabs. */
export const browserOfEachTest = (): BrowserOfTests => {
  const browser = new BrowserOfTests();
  beforeEach(() => browser.begin());
  afterEach(() => browser.end());
  return browser;
};
