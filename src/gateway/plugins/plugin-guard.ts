import { existsSync } from 'node:fs';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type CallBoard, openBoard, type PluginCall } from './call-board.ts';
import { PluginStarts } from './plugin-starts.ts';
import { standardStepMs } from './probe-contract.ts';

interface PluginWatchdogOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly board: () => Promise<CallBoard>;
  /** A call has not returned for about a second. */
  readonly onHung: (call: PluginCall) => void;
  /** A call has exceeded the time limit of a trial. */
  readonly onStuck: (call: PluginCall) => void;
  /** The call has returned. */
  readonly onReturned: (call: PluginCall) => void;
}

const lookMs = 500;
/** Checks of the same call until it counts as hung. */
const hungLooks = 3;
/** Checks of the same call until starts are refused. */
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

  /** The plugin whose call does not return; null if there is none. */
  get hung(): PluginCall | null {
    return this.#hung;
  }

  /** The hung call has returned. */
  get hasReturned(): boolean {
    return this.#hung === null || this.#board?.inside === 0 || this.#board?.calls !== this.#call;
  }

  /** Starts checking, because plugins are loaded. */
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
  /** File in which the calling thread records the running call. */
  readonly callsFile: string;
  /** Folder with the libraries of starts. */
  readonly librariesFolder: string;
  /**
   * A plugin call does not return: the calling thread answers every request with this error
   * meanwhile.
   */
  readonly onHung: (call: PluginCall, error: BusbarError) => void;
  /** The call has not returned for so long that starts are refused too. */
  readonly onStuck: (error: BusbarError) => void;
  readonly onReturned: (call: PluginCall) => void;
}

const unresponsive = ({ instance, plugin }: PluginCall): BusbarError =>
  new BusbarError('instance_unresponsive', {
    message: `The plugin ${plugin} of ${instance} does not return`,
    details: { instance, plugin },
  });

/** True for the error of a plugin that does not return. */
export const isUnresponsive = (thrown: unknown): boolean =>
  BusbarError.from(thrown).code === 'instance_unresponsive';

/** Opens, tests and watches the plugins of all instances, from another thread than theirs. */
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

  /** The hung call has returned; `hung` names it a little longer. */
  get hasReturned(): boolean {
    return this.#watchdog.hasReturned;
  }

  watch(): Promise<void> {
    return this.#watchdog.start();
  }

  /** Takes over the watch of a previous thread. */
  async resume(): Promise<void> {
    if (existsSync(this.#callsFile)) await this.watch();
  }

  close(): void {
    this.starts.end();
    this.#watchdog.stop();
  }
}
