import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { api } from '../../scenario/support/channel-bench.ts';
import { TransmitBench } from '../../scenario/support/transmit-bench.ts';
import { PageErrors, patienceMs, sharedBrowser } from '../../support/browser.ts';
import { takeSeat } from '../../support/seat.ts';
import { eventually, setUpWorkbench, type Workbench } from '../../support/workbench.ts';
import { forgetAll } from './in-page.js';

const carDatabase = `VERSION ""

BU_: Car

BO_ 256 Engine: 8 Car
 SG_ Speed : 0|16@1+ (0.25,0) [0|8000] "rpm" Car
 SG_ Gear : 16|4@1+ (1,0) [0|0] "" Car

BO_ 257 Doors: 1 Car
 SG_ Driver : 0|1@1+ (1,0) [0|1] "" Car

VAL_ 256 Gear 0 "park" 3 "third" ;
VAL_ 257 Driver 0 "shut" 1 "open" ;
`;

interface Stats {
  readonly broker: {
    readonly newest_event_id: number | null;
    readonly consumers: readonly { readonly kind: string; readonly lag: number }[];
  };
}

interface History {
  readonly newest_available: number;
}

/** The console on a bench with two channels of one CAN FD bus, as a user sees it. */
export class ConsolePage {
  readonly bench: Workbench;
  readonly listen: string;
  readonly page: Page;
  /** Unexpected errors of the page; tests announce those they provoke. */
  readonly watch: PageErrors;
  /** Every request of the page so far: method and path. */
  readonly requests: string[] = [];
  readonly #webOptions: readonly string[];

  constructor(bench: Workbench, listen: string, page: Page, webOptions: readonly string[]) {
    this.bench = bench;
    this.listen = listen;
    this.page = page;
    this.#webOptions = webOptions;
    this.watch = new PageErrors(page, `http://${listen}`);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      this.requests.push(`${request.method()} ${pathname}`);
    });
  }

  get errors(): readonly string[] {
    return this.watch.found;
  }

  /** Another tab of the same browser for the same service; it has not opened the console yet. */
  async newTab(): Promise<ConsolePage> {
    const page = await this.page.context().newPage();
    return new ConsolePage(this.bench, this.listen, page, this.#webOptions);
  }

  /** Opens a page of the console and waits until the service responds. */
  async open(place = 'overview'): Promise<void> {
    await this.page.goto(`http://${this.listen}/#${place}`);
    await this.says('connection', 'Live');
  }

  by(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** Waits until a visible element contains the text. */
  async says(testId: string, text: string | RegExp): Promise<void> {
    await this.by(testId).filter({ hasText: text }).waitFor();
  }

  /** Waits until a panel shows the response of the service. */
  async isAnswered(panel: string): Promise<void> {
    await this.page.locator(`[data-testid="${panel}"]:not([aria-busy])`).waitFor();
  }

  /** Waits until all visible parts show responses of the service. */
  async isAllAnswered(): Promise<void> {
    const awaited = this.page.locator('[aria-busy]:visible');
    await eventually(async () => (await awaited.count()) === 0);
  }

  /** Waits until a cell of a row, named by an attribute, contains the text. */
  async cellSays(row: string, field: string, text: string | RegExp): Promise<void> {
    const cell = this.page.locator(`tr[${row}] [data-field="${field}"]`);
    await cell.filter({ hasText: text }).waitFor();
  }

  /** The frames of the trace with that identifier. */
  frames(id: string): Locator {
    const cell = this.page.locator('[data-field="id"]').getByText(id, { exact: true });
    return this.by('trace-table').locator('tr[data-row="frame"]:visible').filter({ has: cell });
  }

  async send(frame: string, ...options: string[]): Promise<void> {
    await this.bench.json('message', 'send', 'SIM00001/0', frame, ...options);
  }

  async loadDatabase(): Promise<void> {
    writeFileSync(join(this.bench.project, 'car.dbc'), carDatabase);
    await this.bench.json('database', 'load', 'car.dbc');
  }

  /** Kinds of clients that follow the events of a channel, sorted. */
  async consumers(channel = 'SIM00001/0'): Promise<readonly string[]> {
    const { broker } = await this.#stats(channel);
    return broker.consumers.map(({ kind }) => kind).sort();
  }

  /** The newest event of all channels. */
  async newestEvent(): Promise<number> {
    const page = await this.bench.json<History>('message', 'history', '--limit=1');
    return page.newest_available;
  }

  /** Waits until the second channel has received and decoded everything up to that event. */
  async isHeard(event: number): Promise<void> {
    await eventually(async () => {
      const { newest_event_id, consumers } = (await this.#stats('SIM00001/1')).broker;
      const decoding = consumers.filter(({ kind }) => kind === 'decode');
      return newest_event_id === event && decoding.every(({ lag }) => lag === 0);
    });
  }

  #stats(channel: string): Promise<Stats> {
    return this.bench.json('channel', 'stats', channel);
  }

  /** Stops the Web service and waits until the page has noticed, as other tabs have. */
  async stopService(...others: readonly ConsolePage[]): Promise<void> {
    const tabs = [this, ...others];
    for (const { watch } of tabs) watch.isServiceAway = true;
    await this.bench.json('web', 'stop');
    for (const tab of tabs) await tab.says('connection', 'Unreachable');
  }

  /** Starts the Web service again; connection failures after that are errors. */
  async startService(...others: readonly ConsolePage[]): Promise<void> {
    await this.bench.json('web', 'start', `--listen=${this.listen}`, ...this.#webOptions);
    for (const tab of [this, ...others]) {
      // Earlier failures may be reported late.
      await tab.says('connection', 'Live');
      tab.watch.isServiceAway = false;
    }
  }
}

const viewport = { width: 1280, height: 800 };

/** Answers that tests give in place of the service may be pending when a page closes; they fail with it. */
const ignoreAnswers = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' });

const closeContext = async (context: BrowserContext): Promise<void> => {
  for (const page of context.pages()) await ignoreAnswers(page);
  await context.close();
};

/** A page in a separate context, closed when the running test ends. */
export const openPage = async (size = viewport): Promise<Page> => {
  const context = await (await sharedBrowser()).newContext({ viewport: size });
  context.setDefaultTimeout(patienceMs);
  onTestFinished(() => closeContext(context));
  return context.newPage();
};

/** Opens the initial channels of every console test. */
const openChannels = async (bench: Workbench): Promise<void> => {
  await bench.call('channel.open', { channel: 'SIM00001/0' });
  await bench.call('channel.open', { channel: 'SIM00001/1', name: 'powertrain' });
};

/**
 * A console with its own daemon and browser context, before the page is opened. For tests that
 * stop the daemon or depend on numbers counted from its start: slots, tasks, events.
 */
export const setUpConsole = async (...webOptions: string[]): Promise<ConsolePage> => {
  const bench = setUpWorkbench();
  await openChannels(bench);
  const { listen } = await bench.startWeb(...webOptions);
  return new ConsolePage(bench, listen, await openPage(), webOptions);
};

/** Removes everything a test left on the bench and reopens the two channels. */
const resetBench = async (bench: TransmitBench): Promise<void> => {
  const { gateways } = await bench.status('gateways');
  for (const { instance } of gateways) {
    const resource = `gateways/${encodeURIComponent(instance)}`;
    await bench.post(`${api}/${resource}/stop`, {});
    await bench.end(resource);
  }
  const { servers } = await bench.status('modbus');
  for (const { endpoint } of servers) await bench.post(`${api}/modbus/stop`, { endpoint });
  await bench.closeAll();
  const { recorders } = await bench.status('recorders');
  for (const { name } of recorders) {
    await bench.post(`${api}/recorders/${name}/stop`, {});
    await bench.end(`recorders/${name}`);
  }
  const { plans } = await bench.status('signals');
  for (const { plan_id } of plans) await bench.end(`signals/plans/${plan_id}`);
  const { databases } = await bench.status('databases');
  for (const { name } of databases) await bench.end(`databases/${encodeURIComponent(name)}`);
  bench.empty();
  await openChannels(bench);
};

/** Removes everything a test left in the browser: stored values, intercepted requests, listeners. */
const resetPage = async (page: Page, listen: string): Promise<void> => {
  for (const tab of page.context().pages()) if (tab !== page) await tab.close();
  page.removeAllListeners();
  await ignoreAnswers(page);
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().clearPermissions();
  await page.setViewportSize(viewport);
  // A resource without scripts, so that nothing is stored again.
  await page.goto(`http://${listen}/api/v1/health`);
  await page.evaluate(forgetAll);
};

/**
 * The bench of all tests of a file and a page of its browser. Both are reset when a test ends, so that no page draws
 * and no task sends while another test runs. Numbers that the daemon counts (slots, tasks, events) continue from one
 * test to the next.
 */
export const reuseConsole = (): ((...webOptions: string[]) => Promise<ConsolePage>) => {
  const bench = new TransmitBench(takeSeat());
  let page: Page | undefined;
  let startedWith: readonly string[] = [];
  const listen = (): string => `127.0.0.1:${bench.port}`;
  const startWeb = async (webOptions: readonly string[]): Promise<void> => {
    if (webOptions.join() === startedWith.join()) return;
    await bench.json('web', 'stop');
    await bench.json('web', 'start', `--listen=${listen()}`, ...webOptions);
    startedWith = webOptions;
  };
  afterAll(async () => {
    if (page) await closeContext(page.context());
    await bench.dispose();
  });
  const open = async (): Promise<Page> => {
    await bench.start();
    await openChannels(bench);
    const context = await (await sharedBrowser()).newContext({ viewport });
    context.setDefaultTimeout(patienceMs);
    return context.newPage();
  };
  return async (...webOptions) => {
    page ??= await open();
    const own = page;
    onTestFinished(async () => {
      try {
        await startWeb([]);
        await resetPage(own, listen());
      } finally {
        await resetBench(bench);
      }
    });
    await startWeb(webOptions);
    return new ConsolePage(bench, listen(), own, webOptions);
  };
};
