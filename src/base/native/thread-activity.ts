import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const field = { state: 0, userTicks: 11, systemTicks: 12 } as const;
const waitsForDisk = 'D';

const statOf = (path: string): readonly string[] | null => {
  try {
    const text = readFileSync(path, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
};

/**
 * Checks whether other threads of this process work, by their processor time. A thread that
 * loads its modules answers no calls, but uses processor time or waits for the disk.
 */
export class ThreadActivity {
  readonly #folder: string;
  readonly #own: string;
  #ticks = 0;

  constructor(folder = '/proc/self/task', own = String(process.pid)) {
    this.#folder = folder;
    this.#own = own;
    this.hasWorked();
  }

  hasWorked(): boolean {
    let ticks = 0;
    let isWaiting = false;
    for (const thread of this.#threads()) {
      const stat = statOf(join(this.#folder, thread, 'stat'));
      if (stat === null) continue;
      ticks += Number(stat[field.userTicks]) + Number(stat[field.systemTicks]);
      isWaiting ||= stat[field.state] === waitsForDisk;
    }
    const hasWorked = ticks !== this.#ticks || isWaiting;
    this.#ticks = ticks;
    return hasWorked;
  }

  #threads(): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((thread) => thread !== this.#own);
    } catch {
      return [];
    }
  }
}
