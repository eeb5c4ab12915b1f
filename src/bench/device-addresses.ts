import type { BenchSource } from './channel-table.ts';

export class DeviceAddresses {
  readonly #addresses = new Map<string, readonly string[]>();

  of(driver: string): readonly string[] {
    return this.#addresses.get(driver) ?? [];
  }

  /**
   * Reads the device addresses again. An invalid bench file is reported to callers, and the
   * known devices stay.
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
