import type { Clock, Timer } from '../../base/clock/clock.ts';
import type { CallBoard, PluginCall } from './call-board.ts';
import { standardStepMs } from './probe-contract.ts';

export interface PluginWatchdogOptions {
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
