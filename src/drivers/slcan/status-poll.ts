import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Command, Reply } from './exchange.ts';
import type { SlcanReports } from './slcan-reports.ts';
import { readStatus, statusBit } from './status-text.ts';

/** Often enough for people. Responses cost line time. */
const statusPeriodUs = 1_000_000;
const status: Command = {
  text: 'F',
  timeoutUs: 500_000,
  isAnswer: (line) => /^F[0-9A-Fa-f]{2}$/.test(line),
};

export interface StatusPollOptions {
  readonly scheduler: Scheduler;
  readonly reports: SlcanReports;
  readonly nowUs: () => number;
  readonly stamp: (atUs: number) => number;
}

export class StatusPoll {
  readonly #options: StatusPollOptions;
  readonly #task: Task;
  #ask: ((command: Command) => Promise<Reply>) | undefined;

  constructor(options: StatusPollOptions) {
    this.#options = options;
    this.#task = options.scheduler.createTask('slcan status', () => void this.#poll());
  }

  start(ask: (command: Command) => Promise<Reply>): void {
    this.#ask = ask;
    this.#task.scheduleAt(this.#options.nowUs() + statusPeriodUs);
  }

  stop(): void {
    this.#ask = undefined;
    this.#task.cancel();
  }

  async #poll(): Promise<void> {
    const ask = this.#ask;
    if (!ask) return;
    const { outcome, text } = await ask(status);
    // Refused: unknown command.
    if (this.#ask !== ask || outcome === 'refused' || outcome === 'gone') return;
    const { nowUs, stamp } = this.#options;
    const atUs = nowUs();
    if (outcome === 'ok') this.#take(readStatus(Buffer.from(text), text.length), stamp(atUs));
    this.#task.scheduleAt(atUs + statusPeriodUs);
  }

  #take(bits: number, atUs: number): void {
    const { reports } = this.#options;
    if ((bits & statusBit.overrun) !== 0) reports.overruns += 1;
    if ((bits & statusBit.busError) !== 0) reports.someErrors(atUs);
    // Reported states are more precise than status bits.
    if (reports.reportsState) return;
    const better = (bits & statusBit.warning) === 0 ? 'error_active' : 'error_warning';
    reports.enter((bits & statusBit.passive) === 0 ? better : 'error_passive', atUs);
  }
}
