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
  /** Break and delimiter are complete. */
  readonly onSent: (nowUs: number) => void;
  readonly onFailed: (nowUs: number) => void;
}

/** A zero has nine low bits, which must last as long as a break. */
const lowerRate = (bitrate: number): number => Math.floor((bitrate * 9) / 14);
const zero = Uint8Array.of(0);

type Step = 'none' | 'lowering' | 'holding' | 'releasing' | 'delimiting';

/**
 * Makes breaks on a serial port, in one of three ways:
 *
 * - `hold`: the line is held low, for as long as the clock says; never shorter than a break has to
 *   be, and longer where the machine is busy, which slaves put up with;
 * - `baud`: a zero is sent at a lower baud rate; exact, but changing the rate takes its time. Also
 *   the way out for ports that cannot hold their line;
 * - a mark among the bytes on a pseudo terminal, which has no line.
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
    // Waits until the zero has left, also after a stop.
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
