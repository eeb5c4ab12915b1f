import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../../base/clock/clock.ts';

export interface SerialReturnOptions {
  /** The name of the port, which the device had and will have. */
  readonly named: string;
  readonly clock: Clock;
  /**
   * Tries to use the device again; true ends the watch. Called once at the beginning, whenever
   * something changed where the name is, and now and then. Never while a call is under way.
   */
  readonly attempt: () => Promise<boolean>;
}

/** udev makes a node, then its links, then sets who may open it: one look after all of that. */
const settleMs = 50;
/** In case that a change went by unseen, as it does on file systems without notifications. */
const lookMs = 2000;

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The deepest folder on the way to a name that is there: `/dev/serial` comes and goes. */
const nearestFolder = (named: string): string => {
  let folder = dirname(named);
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
};

/** Waits for a serial device that is gone, without polling it. */
export class SerialReturn {
  readonly #options: SerialReturnOptions;
  #watcher: FSWatcher | undefined;
  #watched = '';
  #timer: Timer | undefined;
  #trying = false;
  /** Something changed while an attempt was under way. */
  #changed = false;
  #ended = false;

  constructor(options: SerialReturnOptions) {
    this.#options = options;
    void this.#try();
  }

  stop(): void {
    this.#ended = true;
    this.#timer?.cancel();
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  async #try(): Promise<void> {
    this.#trying = true;
    this.#changed = false;
    // Watching begins first, so that nothing happens unseen between the look and the watch.
    this.#follow();
    const isBack = await this.#options.attempt().catch(() => false);
    this.#trying = false;
    if (this.#ended) return;
    if (isBack) this.stop();
    else this.#lookIn(this.#changed ? settleMs : lookMs);
  }

  #lookIn(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(delayMs, () => void this.#try());
  }

  #follow(): void {
    const { named } = this.#options;
    const folder = nearestFolder(named);
    if (this.#watcher !== undefined && folder === this.#watched) return;
    this.#watcher?.close();
    this.#watched = folder;
    try {
      this.#watcher = watch(folder, { persistent: false }, (event, file) => {
        // Other devices are written to all the time, which is told too.
        if (event === 'rename' || file === basename(named)) this.#notice();
      });
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#unwatch();
    }
  }

  /** The look now and then remains, and watches again where it can. */
  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #notice(): void {
    // A folder that is gone leaves a watch that says nothing more.
    if (!isFolder(this.#watched)) this.#unwatch();
    if (this.#trying) this.#changed = true;
    else if (!this.#ended) this.#lookIn(settleMs);
  }
}
