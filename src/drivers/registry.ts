import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { CreateDriver, Driver, DriverContext } from './driver.ts';

type LoadDriver = () => Promise<CreateDriver>;
/** What a driver of that kind is made of, asked for when it is first needed. */
type ContextOf = (kind: string) => DriverContext | Promise<DriverContext>;

const builtIn: Readonly<Record<string, LoadDriver>> = {
  socketcan: async () => (await import('./socketcan/socketcan-driver.ts')).createSocketCanDriver,
  'lin-uart': async () => (await import('./lin-uart/lin-uart-driver.ts')).createLinUartDriver,
  slcan: async () => (await import('./slcan/slcan-driver.ts')).createSlcanDriver,
  virtual: async () => (await import('./virtual/virtual-driver.ts')).createVirtualDriver,
};

/** The drivers of a bench thread, each loaded when it is first asked for. */
export class DriverRegistry {
  readonly #contextOf: ContextOf;
  readonly #loaders: Readonly<Record<string, LoadDriver>>;
  readonly #drivers = new Map<string, Promise<Driver>>();

  constructor(contextOf: ContextOf, loaders = builtIn) {
    this.#contextOf = contextOf;
    this.#loaders = loaders;
  }

  get kinds(): readonly string[] {
    return Object.keys(this.#loaders);
  }

  /** The one driver of that kind. A driver that failed to load is tried again. */
  get(kind: string): Promise<Driver> {
    const known = this.#drivers.get(kind);
    if (known) return known;
    const load = Object.hasOwn(this.#loaders, kind) ? this.#loaders[kind] : undefined;
    if (!load) {
      const kinds = this.kinds;
      return Promise.reject(
        invalidArgument('driver', `driver must be one of ${kinds.join(', ')}`, {
          reason: 'enum',
          allowed: kinds,
        }),
      );
    }
    const driver = this.#create(kind, load);
    this.#drivers.set(kind, driver);
    driver.catch(() => this.#drivers.delete(kind));
    return driver;
  }

  async #create(kind: string, load: LoadDriver): Promise<Driver> {
    const create = await load();
    return create(await this.#contextOf(kind));
  }

  /** Closes the drivers that were loaded. */
  async close(): Promise<void> {
    const drivers = await Promise.allSettled(this.#drivers.values());
    this.#drivers.clear();
    await Promise.all(
      drivers.map((driver) => (driver.status === 'fulfilled' ? driver.value.close() : undefined)),
    );
  }
}
