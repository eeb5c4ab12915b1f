import type { Browser, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { watchForTrouble } from '../../support/browser.ts';
import { setUpWorkbench, type Workbench } from '../../support/workbench.ts';

interface Stats {
  readonly broker: { readonly consumers: readonly object[] };
}

/** The console on a bench with two channels of one CAN FD bus, as a user has it in front. */
export class BenchPage {
  readonly bench: Workbench;
  readonly listen: string;
  readonly page: Page;
  readonly trouble: readonly string[];

  constructor(bench: Workbench, listen: string, page: Page) {
    this.bench = bench;
    this.listen = listen;
    this.page = page;
    this.trouble = watchForTrouble(page, `http://${listen}`);
  }

  async open(): Promise<void> {
    await this.page.goto(`http://${this.listen}/`);
    await this.isStatus('Live');
  }

  /** Waits until the status line of the traffic says so. */
  async isStatus(word: string): Promise<void> {
    await this.page.getByTestId('traffic-status').getByText(word).waitFor();
  }

  channel(selector: string, field: string): Locator {
    return this.page.locator(`tr[data-channel="${selector}"] [data-field="${field}"]`);
  }

  row(id: string, direction = 'Tx'): Locator {
    return this.page.locator(`tr[data-id="${id}"][data-direction="${direction}"]`);
  }

  /** Waits until the row has exactly that many frames. */
  async hasCount(id: string, count: number): Promise<void> {
    const text = new RegExp(`^${count.toLocaleString('en-US')}$`);
    await this.row(id).locator('[data-field="count"]').filter({ hasText: text }).waitFor();
  }

  async send(frame: string, ...options: string[]): Promise<void> {
    await this.bench.json('message', 'send', 'SIM00001/0', frame, ...options);
  }

  /** How many clients follow the events of the first channel. */
  async streams(): Promise<number> {
    const stats = await this.bench.json<Stats>('channel', 'stats', 'SIM00001/0');
    return stats.broker.consumers.length;
  }
}

/** Sets up a bench and a page for the running test; the page is not at the console yet. */
export const setUpBenchPage = async (
  browser: Browser,
  ...webOptions: string[]
): Promise<BenchPage> => {
  const bench = setUpWorkbench();
  const channels = ['--channel=SIM00001/0', '--channel=SIM00001/1,name=powertrain'];
  await bench.json('daemon', 'start', ...channels);
  const { listen } = await bench.startWeb(...webOptions);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => page.close());
  return new BenchPage(bench, listen, page);
};
