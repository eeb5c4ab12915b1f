import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../../base/clock/clock.ts';

export interface SerialReconnectOptions {
  readonly named: string;
  readonly clock: Clock;
  /**
   * Tries to use the device; true stops the watch. Called at the start, on changes, and
   * periodically; never concurrently.
   */
  readonly attempt: () => Promise<boolean>;
}

/**
 * udev creates a node, then its links, then permissions. One check after all of these is enough.
 */
const settleMs = 50;
/** For file systems without notifications. */
const lookMs = 2000;

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const nearestFolder = (named: string): string => {
  let folder = dirname(named);
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
};

/** Waits for a lost serial device without polling it. */
export class SerialReconnect {
  readonly #options: SerialReconnectOptions;
  #watcher: FSWatcher | undefined;
  #watched = '';
  #timer: Timer | undefined;
  #trying = false;
  #changed = false;
  #ended = false;

  constructor(options: SerialReconnectOptions) {
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
    // Watch first, so that no change is missed.
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
        // Writes to other devices are reported too.
        if (event === 'rename' || file === basename(named)) this.#notice();
      });
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#unwatch();
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #notice(): void {
    // The watch of a removed folder reports nothing.
    if (!isFolder(this.#watched)) this.#unwatch();
    if (this.#trying) this.#changed = true;
    else if (!this.#ended) this.#lookIn(settleMs);
  }
}
