import { existsSync } from 'node:fs';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type CallBoard, openBoard, type PluginCall } from './call-board.ts';
import { PluginStarts } from './plugin-starts.ts';
import { standardStepMs } from './probe-contract.ts';

interface PluginWatchdogOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly board: () => Promise<CallBoard>;
  readonly onHung: (call: PluginCall) => void;
  readonly onStuck: (call: PluginCall) => void;
  readonly onReturned: (call: PluginCall) => void;
}

const lookMs = 500;
const hungLooks = 3;
/** Checks of the same call until new starts are rejected. */
const stuckLooks = hungLooks + standardStepMs / lookMs;

const unknown: PluginCall = { instance: '', plugin: '' };

/** Checks from another thread whether plugin calls return. */
export class PluginWatchdog {
  readonly #options: PluginWatchdogOptions;
  #timer: Timer | undefined;
  #isStarted = false;
  #board: CallBoard | undefined;
  #call = -1;
  #looks = 0;
  #hung: PluginCall | null = null;

  constructor(options: PluginWatchdogOptions) {
    this.#options = options;
  }

  get hung(): PluginCall | null {
    return this.#hung;
  }

  get hasReturned(): boolean {
    return this.#hung === null || this.#board?.inside === 0 || this.#board?.calls !== this.#call;
  }

  /** Called once plugins are loaded. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    try {
      this.#board = await this.#options.board();
      this.#look(this.#board);
    } catch (thrown) {
      // The next start of an instance with plugins tries again.
      this.#isStarted = false;
      throw thrown;
    }
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #look(board: CallBoard): void {
    const { inside, calls } = board;
    const isSame = inside !== 0 && calls === this.#call;
    this.#looks = isSame ? this.#looks + 1 : 1;
    this.#call = inside === 0 ? -1 : calls;
    if (isSame && this.#looks === hungLooks) {
      this.#hung = board.nameOf(inside) ?? unknown;
      this.#options.onHung(this.#hung);
    } else if (isSame && this.#looks === stuckLooks && this.#hung !== null) {
      this.#options.onStuck(this.#hung);
    } else if (!isSame && this.#hung !== null) {
      const returned = this.#hung;
      this.#hung = null;
      this.#options.onReturned(returned);
    }
    this.#timer = this.#options.clock.after(lookMs, () => this.#look(board));
  }
}

interface PluginGuardOptions {
  readonly clock: Clock;
  readonly projectRoot: string;
  readonly program: string;
  readonly callsFile: string;
  readonly librariesFolder: string;
  /** Called when a plugin call does not return: until it does, every request gets this error. */
  readonly onHung: (call: PluginCall, error: BusbarError) => void;
  /** Called when the call is still blocked and new starts are rejected too. */
  readonly onStuck: (error: BusbarError) => void;
  readonly onReturned: (call: PluginCall) => void;
}

const unresponsive = ({ instance, plugin }: PluginCall): BusbarError =>
  new BusbarError('instance_unresponsive', {
    message: `The plugin ${plugin} of ${instance} does not return`,
    details: { instance, plugin },
  });

export const isUnresponsive = (thrown: unknown): boolean =>
  BusbarError.from(thrown).code === 'instance_unresponsive';

/** Opens, tests and watches the plugins of all instances, from another thread. */
export class PluginGuard {
  readonly starts: PluginStarts;
  readonly #watchdog: PluginWatchdog;
  readonly #callsFile: string;

  constructor(options: PluginGuardOptions) {
    const { clock, callsFile, onHung, onStuck, onReturned } = options;
    this.#callsFile = callsFile;
    this.starts = new PluginStarts(options);
    this.#watchdog = new PluginWatchdog({
      clock,
      board: async () => openBoard((await import('koffi')).default, callsFile),
      onHung: (call) => onHung(call, unresponsive(call)),
      onStuck: (call) => onStuck(unresponsive(call)),
      onReturned,
    });
  }

  get hung(): PluginCall | null {
    return this.#watchdog.hung;
  }

  get hasReturned(): boolean {
    return this.#watchdog.hasReturned;
  }

  watch(): Promise<void> {
    return this.#watchdog.start();
  }

  async resume(): Promise<void> {
    if (existsSync(this.#callsFile)) await this.watch();
  }

  close(): void {
    this.starts.end();
    this.#watchdog.stop();
  }
}
