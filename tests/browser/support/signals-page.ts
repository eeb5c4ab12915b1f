import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { BenchPage } from './bench-page.ts';

const database = `VERSION ""

BU_: Car

BO_ 256 Engine: 8 Car
 SG_ Speed : 0|16@1+ (0.25,0) [0|8000] "rpm" Car
 SG_ Gear : 16|4@1+ (1,0) [0|0] "" Car

BO_ 257 Doors: 1 Car
 SG_ Driver : 0|1@1+ (1,0) [0|1] "" Car

VAL_ 256 Gear 0 "park" 3 "third" ;
VAL_ 257 Driver 0 "shut" 1 "open" ;
`;

export interface PlanRecord {
  readonly plan_id: string;
}

/** The signals in the console, with a database of an engine and a door loaded. */
export class SignalsPage {
  readonly #console: BenchPage;
  readonly panel: Locator;

  constructor(console: BenchPage) {
    this.#console = console;
    this.panel = console.page.getByTestId('signals');
  }

  async loadDatabase(): Promise<void> {
    const { bench } = this.#console;
    writeFileSync(join(bench.project, 'car.dbc'), database);
    await bench.json('database', 'load', 'car.dbc');
  }

  plan(message: string, ...options: string[]): Promise<PlanRecord> {
    const where = ['--channel=powertrain', '--database=car', `--message=${message}`];
    return this.#console.bench.json('signal', 'plan', 'create', ...where, ...options);
  }

  row(signal: string): Locator {
    return this.panel.locator(`tr[data-signal="${signal}"]`);
  }

  field(signal: string, name: string): Locator {
    return this.row(signal).locator(`[data-field="${name}"]`);
  }

  /** Waits until a field of the signal reads exactly so. */
  async reads(signal: string, name: string, text: string): Promise<void> {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    await this.field(signal, name)
      .filter({ hasText: new RegExp(`^${escaped}$`) })
      .waitFor();
  }

  /** Waits until the status line of the signals says so. */
  async isStatus(word: string): Promise<void> {
    await this.panel.getByTestId('signals-status').getByText(word).waitFor();
  }

  button(name: string): Locator {
    return this.panel.getByRole('button', { name });
  }
}
