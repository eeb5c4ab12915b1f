import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { CreateDriver, Driver, DriverContext } from './driver.ts';
import type { DriverKind } from './driver-kinds.ts';
import { createLinUartDriver } from './lin-uart/lin-uart-driver.ts';
import { createSlcanDriver } from './slcan/slcan-driver.ts';
import { createSocketCanDriver } from './socketcan/socketcan-driver.ts';
import { createVirtualDriver } from './virtual/virtual-driver.ts';

type ContextOf = (kind: string) => DriverContext | Promise<DriverContext>;

/** Static imports, because V8 does not optimize constants of dynamic imports. */
const builtIn: Readonly<Record<DriverKind, CreateDriver>> = {
  socketcan: createSocketCanDriver,
  'lin-uart': createLinUartDriver,
  slcan: createSlcanDriver,
  virtual: createVirtualDriver,
};

export class DriverRegistry {
  readonly #contextOf: ContextOf;
  readonly #creators: Readonly<Record<string, CreateDriver>>;
  readonly #drivers = new Map<string, Promise<Driver>>();

  constructor(contextOf: ContextOf, creators: Readonly<Record<string, CreateDriver>> = builtIn) {
    this.#contextOf = contextOf;
    this.#creators = creators;
  }

  get kinds(): readonly string[] {
    return Object.keys(this.#creators);
  }

  /** Returns the driver of a kind. A failed creation is retried. */
  get(kind: string): Promise<Driver> {
    const known = this.#drivers.get(kind);
    if (known) return known;
    const create = Object.hasOwn(this.#creators, kind) ? this.#creators[kind] : undefined;
    if (!create) {
      const kinds = this.kinds;
      return Promise.reject(
        invalidArgument('driver', `driver must be one of ${kinds.join(', ')}`, {
          reason: 'enum',
          allowed: kinds,
        }),
      );
    }
    const driver = this.#make(kind, create);
    this.#drivers.set(kind, driver);
    driver.catch(() => this.#drivers.delete(kind));
    return driver;
  }

  async #make(kind: string, create: CreateDriver): Promise<Driver> {
    return create(await this.#contextOf(kind));
  }

  async close(): Promise<void> {
    const drivers = await Promise.allSettled(this.#drivers.values());
    this.#drivers.clear();
    await Promise.all(
      drivers.map((driver) => (driver.status === 'fulfilled' ? driver.value.close() : undefined)),
    );
  }
}
