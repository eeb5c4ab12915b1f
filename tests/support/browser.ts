import { type Browser, chromium, type Page, type Response } from 'playwright-core';
import { browserPackage, browserProgram } from '../../scripts/peers.mjs';
import { hasPeer } from './peers.ts';

/** Shorter than the time limit of a test, so that its failure names what did not arrive. */
export const patienceMs = 120_000;

export const hasBrowser = (): boolean => hasPeer(browserProgram, browserPackage);

/** Starts a browser, or another program given by the test. */
export const launchBrowser = ({ executablePath = browserProgram } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: patienceMs,
    // A common desktop width: layouts are checked with it.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

let shared: Promise<Browser> | undefined;

/**
 * The browser of all test files in this process. It ends with the process, whose pipe it reads.
 */
export const sharedBrowser = (): Promise<Browser> => {
  shared ??= launchBrowser();
  return shared;
};

/** An error that a test provokes. */
interface Refusal {
  readonly status: number;
  readonly path: RegExp;
}

const loadFailure = /^Failed to load resource: (?:.*status of (\d+)|net::(ERR_\w+))/;
const socketFailure = /^WebSocket connection to .* failed/;

/** Records all unexpected errors of a page that the test did not announce. */
export class PageErrors {
  /** Script errors, blocked content, foreign requests, failed requests and lost connections. */
  readonly found: string[] = [];
  /** Whether the service is stopped, so that connections break and are refused. */
  isServiceAway = false;
  readonly #refusals: Refusal[] = [];

  constructor(page: Page, origin: string) {
    page.on('pageerror', (error) => this.found.push(`script error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#take(message.text(), message.location().url);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.found.push(`foreign request: ${request.url()}`);
    });
    page.on('response', (response) => this.#explain(response));
  }

  /** The test expects responses with this status from such a path. */
  allow(status: number, path: RegExp): void {
    this.#refusals.push({ status, path });
  }

  #take(text: string, url: string): void {
    const [isLoad, status] = loadFailure.exec(text) ?? [];
    const isLost = socketFailure.test(text) || (isLoad !== undefined && status === undefined);
    if (isLost && this.isServiceAway) return;
    if (status !== undefined && this.#isAllowed(Number(status), new URL(url).pathname)) return;
    this.found.push(`console: ${text} ${url}`);
  }

  /** Adds the service's message to the console's line, which has only the status. */
  async #explain(response: Response): Promise<void> {
    const status = response.status();
    const { pathname } = new URL(response.url());
    if (status < 400 || this.#isAllowed(status, pathname)) return;
    const said = await response.text().catch(() => undefined);
    if (said !== undefined) this.found.push(`answer: ${status} ${pathname} ${said}`);
  }

  #isAllowed(status: number, path: string): boolean {
    return this.#refusals.some((each) => each.status === status && each.path.test(path));
  }
}
