import type { Clock } from '../../base/clock/clock.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { breakMark } from '../../base/serial/marked-bytes.ts';
import type { SerialPort } from '../../base/serial/serial-port.ts';
import type { TtyCallDone } from '../../base/serial/tty-calls.ts';
import type { LinLineTiming } from './lin-line-timing.ts';
import type { BreakMethod } from './lin-uart-address.ts';

export interface LineBreakOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly port: SerialPort;
  readonly method: BreakMethod;
  readonly bitrate: () => number;
  readonly onSent: (nowUs: number) => void;
  readonly onFailed: (nowUs: number) => void;
}

/** A zero byte has nine low bits, which must last as long as a break. */
const lowerRate = (bitrate: number): number => Math.floor((bitrate * 9) / 14);
const zero = Uint8Array.of(0);

type Step = 'none' | 'lowering' | 'holding' | 'releasing' | 'delimiting';

/**
 * Sends breaks on a serial port, in one of three ways:
 *
 * - `hold`: holds the line low, timed by the clock. Never too short, but longer on a busy machine,
 *   which slaves tolerate.
 * - `baud`: sends a zero at a lower baud rate. Exact, but changing the rate takes time. Also used if
 *   the port cannot hold its line.
 * - On a pseudo terminal, which has no line: a mark in the byte stream.
 */
export class LineBreak {
  readonly #options: LineBreakOptions;
  readonly #task: Task;
  #method: BreakMethod;
  #step: Step = 'none';
  #timing: LinLineTiming | undefined;

  constructor(options: LineBreakOptions) {
    this.#options = options;
    this.#method = options.method;
    this.#task = options.scheduler.createTask('lin break', (nowUs) => this.#due(nowUs));
  }

  send(timing: LinLineTiming): void {
    const { port, clock, onSent } = this.#options;
    this.#timing = timing;
    if (port.isPseudoTerminal) {
      port.write(breakMark);
      onSent(clock.monotonicUs());
    } else if (this.#method === 'hold') this.#hold();
    else this.#lower();
  }

  stop(): void {
    const step = this.#step;
    this.#step = 'none';
    this.#task.cancel();
    if (step === 'holding' || step === 'lowering') {
      this.#options.port.setBreak(false, () => undefined);
    }
  }

  #hold(): void {
    this.#step = 'lowering';
    this.#options.port.setBreak(true, this.#whenLow);
  }

  readonly #whenLow: TtyCallDone = (failure) => {
    if (this.#step !== 'lowering') return;
    if (failure !== undefined) {
      this.#method = 'baud';
      this.#lower();
      return;
    }
    this.#step = 'holding';
    this.#scheduleIn(this.#timing?.breakUs ?? 0);
  };

  #due(nowUs: number): undefined {
    if (this.#step === 'holding') this.#release();
    else if (this.#step === 'delimiting') {
      this.#step = 'none';
      this.#options.onSent(nowUs);
    }
  }

  #release(): void {
    this.#step = 'releasing';
    this.#options.port.setBreak(false, this.#delimit);
  }

  #lower(): void {
    const { port, bitrate } = this.#options;
    this.#step = 'releasing';
    port.setBaudRate(lowerRate(bitrate()), this.#whenLowered);
  }

  readonly #whenLowered: TtyCallDone = (failure) => {
    const { port, bitrate } = this.#options;
    const isStopped = this.#step !== 'releasing';
    if (failure !== undefined) {
      if (!isStopped) this.#fail();
      return;
    }
    if (!isStopped) port.write(zero);
    // Waits until the zero has left, even after a stop.
    port.setBaudRate(bitrate(), this.#delimit);
  };

  readonly #delimit: TtyCallDone = (failure) => {
    if (this.#step !== 'releasing') return;
    if (failure !== undefined) {
      this.#fail();
      return;
    }
    this.#step = 'delimiting';
    this.#scheduleIn(this.#timing?.delimiterUs ?? 0);
  };

  #fail(): void {
    this.#step = 'none';
    this.#options.onFailed(this.#options.clock.monotonicUs());
  }

  #scheduleIn(us: number): void {
    this.#task.scheduleAt(this.#options.clock.monotonicUs() + us);
  }
}
