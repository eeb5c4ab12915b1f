import type { KnownDevice } from './device-list.ts';
import { stableSelector } from './selector.ts';

/**
 * Port numbers in files: from 1, by device in order of discovery. A port keeps its number while
 * the daemon runs.
 */
export class PortNumbers {
  readonly #numbers = new Map<string, number>();

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
