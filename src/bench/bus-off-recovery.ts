import type { Clock } from '../base/clock/clock.ts';
import { within } from '../base/clock/pause.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { CanControl } from '../drivers/driver-channel.ts';
import { unsupportedByHardware } from '../drivers/refusals.ts';
import type { Bus } from '../frame/frm2-layout.ts';
import type { BenchSink } from './bench-sink.ts';

const minRetryMs = 1_000;

/** On a 10 kbit/s bus the 128 idle phases of a recovery take 141 ms. */
const maxWaitMs = 1_000;

export interface RecoveryParts {
  readonly hardware: Pick<CanControl, 'recover'>;
  readonly sink: BenchSink;
  readonly restartMs: number;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Called on the first failed automatic recovery after each bus-off. */
  readonly onDefect: (thrown: unknown) => void;
}

export const hasRestart = (buses: readonly Bus[]): boolean => !buses.includes('lin');

export const checkRestart = (selector: string, buses: readonly Bus[], field: string): void => {
  if (hasRestart(buses)) return;
  const message = `${selector} has no setting restart_ms: only CAN controllers go bus off`;
  throw unsupportedByHardware('restart_ms', message, { field });
};

/** Recovers a CAN controller from bus-off, on request or automatically, for all drivers. */
export class BusOffRecovery {
  readonly #hardware: RecoveryParts['hardware'];
  readonly #sink: BenchSink;
  readonly #clock: Clock;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #task: Task;
  readonly #stopListening: () => void;
  readonly #waiting = new Set<() => void>();
  #restartMs: number;
  #isEnded = false;
  #hasFailed = false;

  constructor({ hardware, sink, restartMs, clock, scheduler, onDefect }: RecoveryParts) {
    this.#hardware = hardware;
    this.#sink = sink;
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.#restartMs = restartMs;
    this.#task = scheduler.createTask('bus-off restart', () => void this.#restart());
    this.#stopListening = sink.busOffChanges.add((isBusOff) => {
      this.#hasFailed = false;
      this.#schedule();
      if (!isBusOff) this.#release();
    });
    this.#schedule();
  }

  get restartMs(): number {
    return this.#restartMs;
  }

  set restartMs(restartMs: number) {
    this.#restartMs = restartMs;
    this.#schedule();
  }

  /**
   * Resolves when the controller is back on the bus, or after one second on a bus that is never
   * idle.
   */
  async recover(): Promise<void> {
    await this.#hardware.recover();
    if (!this.#sink.isBusOff || this.#sink.isLost || this.#isEnded) return;
    let release = (): void => undefined;
    const back = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#waiting.add(release);
    await within(this.#clock, maxWaitMs, back);
    this.#waiting.delete(release);
  }

  end(): void {
    this.#isEnded = true;
    this.#stopListening();
    this.#task.cancel();
    this.#release();
  }

  #release(): void {
    for (const release of this.#waiting) release();
  }

  #schedule(): void {
    if (!this.#sink.isBusOff || this.#restartMs === 0 || this.#isEnded) {
      this.#task.cancel();
      return;
    }
    const delayMs = Math.max(this.#restartMs, this.#hasFailed ? minRetryMs : 0);
    this.#task.scheduleAt(this.#clock.monotonicUs() + delayMs * 1000);
  }

  /** Repeated while bus-off, because a driver that is busy with a change does not recover. */
  async #restart(): Promise<void> {
    try {
      if (!this.#sink.isLost) await this.#hardware.recover();
    } catch (thrown) {
      if (!this.#hasFailed) this.#onDefect(thrown);
      this.#hasFailed = true;
    }
    if (this.#task.dueUs === Number.POSITIVE_INFINITY) this.#schedule();
  }
}
