import type { KnownDevice } from './device-list.ts';
import { stableSelector } from './selector.ts';

/**
 * The numbers by which files know the ports: from 1, device by device in the order in which they
 * were found, each with all its ports. A port keeps its number as long as the daemon runs, however
 * often it is opened, and a bench that stays as it is has the same numbers in every daemon.
 */
export class PortNumbers {
  readonly #numbers = new Map<string, number>();

  /** Gives numbers to the ports that have none yet. */
  learn(devices: readonly KnownDevice[]): void {
    for (const { info } of devices) {
      for (const { port } of info.ports) this.numberOf(info.sn, port);
    }
  }

  numberOf(sn: string, port: number): number {
    const key = stableSelector(sn, port);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}
