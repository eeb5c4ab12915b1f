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
  /** It has not returned within the time that a trial gives it. */
  readonly onStuck: (call: PluginCall) => void;
  /** It has returned after all. */
  readonly onReturned: (call: PluginCall) => void;
}

const lookMs = 500;
/** Looks at the same call after which it hangs. */
const hungLooks = 3;
/** Looks at the same call after which no start waits for it any longer. */
const stuckLooks = hungLooks + standardStepMs / lookMs;

const unknown: PluginCall = { instance: '', plugin: '' };

/** Looks from another thread whether a plugin returns. */
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

  /** The plugin that does not return; null if all of them do. */
  get hung(): PluginCall | null {
    return this.#hung;
  }

  /** Whether the plugin that did not return has done so since. */
  get hasReturned(): boolean {
    return this.#hung === null || this.#board?.inside === 0 || this.#board?.calls !== this.#call;
  }

  /** Begins to look: there are plugins from now on. */
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
  /** The program that probes libraries. */
  readonly program: string;
  /** Where the thread that calls plugins writes down which one it is in. */
  readonly callsFile: string;
  /** Where the libraries of starts are. */
  readonly librariesFolder: string;
  /** A plugin does not return: the thread that is inside it answers nothing but this error meanwhile. */
  readonly onHung: (call: PluginCall, error: BusbarError) => void;
  /** It does not return for so long that starts are refused too. */
  readonly onStuck: (error: BusbarError) => void;
  readonly onReturned: (call: PluginCall) => void;
}

const unresponsive = ({ instance, plugin }: PluginCall): BusbarError =>
  new BusbarError('instance_unresponsive', {
    message: `The plugin ${plugin} of ${instance} does not return`,
    details: { instance, plugin },
  });

/** Whether an error says that a plugin does not return. */
export const isUnresponsive = (thrown: unknown): boolean =>
  BusbarError.from(thrown).code === 'instance_unresponsive';

/** The plugins of all instances, seen from another thread than theirs: it opens, tries and watches them. */
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

  /** The plugin that does not return; null if all of them do. */
  get hung(): PluginCall | null {
    return this.#watchdog.hung;
  }

  /** Whether the plugin that did not return has done so since; `hung` names it a little longer. */
  get hasReturned(): boolean {
    return this.#watchdog.hasReturned;
  }

  /** There are plugins from now on. */
  watch(): Promise<void> {
    return this.#watchdog.start();
  }

  /** Watches again what another thread in the place of this one has watched. */
  async resume(): Promise<void> {
    if (existsSync(this.#callsFile)) await this.watch();
  }

  close(): void {
    this.starts.end();
    this.#watchdog.stop();
  }
}
