import type { DeviceInfo, Driver } from '../drivers/driver.ts';

export interface KnownDevice {
  readonly driver: string;
  readonly driverSn: string;
  readonly info: DeviceInfo;
  readonly isPresent: boolean;
}

export interface Drivers {
  readonly kinds: readonly string[];
  get(kind: string): Promise<Driver>;
}

export interface DeviceListOptions {
  readonly drivers: Drivers;
  readonly isInUse: (sn: string) => boolean;
  readonly beforeLook?: (() => Promise<void>) | undefined;
  readonly onDefect: (thrown: unknown) => void;
}

export class DeviceList {
  readonly #options: DeviceListOptions;
  #known: readonly KnownDevice[] = [];

  constructor(options: DeviceListOptions) {
    this.#options = options;
  }

  get known(): readonly KnownDevice[] {
    return this.#known;
  }

  /** Searches for devices. If a driver fails, its known devices stay. */
  async look(): Promise<readonly KnownDevice[]> {
    const { drivers, isInUse, beforeLook } = this.#options;
    await beforeLook?.();
    const found = await Promise.all(drivers.kinds.map((kind) => this.#devicesOf(kind)));
    const bySerial = new Map<string, KnownDevice>();
    for (const device of this.#distinct(found)) {
      if (!bySerial.has(device.info.sn)) bySerial.set(device.info.sn, device);
    }
    for (const device of this.#known) {
      const { sn } = device.info;
      if (!bySerial.has(sn) && isInUse(sn)) bySerial.set(sn, { ...device, isPresent: false });
    }
    this.#known = [...bySerial.values()];
    return this.#known;
  }

  /**
   * Adapters of two drivers can have the same serial number; the driver name distinguishes
   * them. A device in use keeps its name.
   */
  #distinct(found: readonly (readonly KnownDevice[])[]): readonly KnownDevice[] {
    const drivers = new Map<string, number>();
    for (const serials of found.map((devices) => new Set(devices.map((each) => each.driverSn)))) {
      for (const sn of serials) drivers.set(sn, (drivers.get(sn) ?? 0) + 1);
    }
    const inUse = this.#known.filter(({ info }) => this.#options.isInUse(info.sn));
    return found.flat().map((device) => {
      const { driver, driverSn } = device;
      const isSame = (known: KnownDevice): boolean =>
        known.driver === driver && known.driverSn === driverSn;
      const isShared =
        (drivers.get(driverSn) ?? 0) > 1 ||
        inUse.some((known) => known.info.sn === driverSn && !isSame(known));
      const usual = isShared ? `${driverSn}-${driver}` : driverSn;
      const sn = inUse.find(isSame)?.info.sn ?? usual;
      return { ...device, info: { ...device.info, sn } };
    });
  }

  async #devicesOf(kind: string): Promise<KnownDevice[]> {
    try {
      const driver = await this.#options.drivers.get(kind);
      const devices = await driver.devices();
      return devices.map((info) => ({ driver: kind, driverSn: info.sn, info, isPresent: true }));
    } catch (thrown) {
      this.#options.onDefect(thrown);
      return this.#known.filter(({ driver }) => driver === kind);
    }
  }
}
