import type { BenchSource } from './channel-table.ts';

/** Where the devices of a bench are, by driver. */
export class DeviceAddresses {
  readonly #addresses = new Map<string, readonly string[]>();

  of(driver: string): readonly string[] {
    return this.#addresses.get(driver) ?? [];
  }

  /**
   * Learns them anew. A bench file that cannot be used is told to the callers who ask for the bench;
   * the devices that were known stay.
   */
  async read(source: BenchSource): Promise<void> {
    const bench = await source().catch(() => undefined);
    if (!bench) return;
    this.#addresses.clear();
    for (const { driver, address } of bench.devices) {
      this.#addresses.set(driver, [...this.of(driver), address]);
    }
  }
}
