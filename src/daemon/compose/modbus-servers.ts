import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { DataModel } from '../../modbus/server/data-model.ts';
import { ModbusServer, type ServedAddress } from '../../modbus/server/modbus-server.ts';
import type { Endpoint, ResolvedEndpoint } from '../../modbus/transport/endpoint.ts';
import { endpointText } from '../../modbus/transport/endpoint-text.ts';
import { resolveEndpoint } from '../../modbus/transport/resolve-endpoint.ts';
import { type NamedEndpoint, namedEndpoint } from './modbus-target.ts';

interface ModbusServersOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Servers at a time. */
  readonly capacity: number;
  /** Asks everybody else here to leave an endpoint that they do not use now. */
  readonly letGo: (key: string) => void;
  readonly onDefect: (thrown: unknown) => void;
}

interface Served {
  readonly server: ModbusServer;
  readonly endpoint: string;
  readonly unit: number;
  readonly startedAtUs: number;
  address: string | null;
}

const addressText = (served: ServedAddress): string =>
  served.kind === 'tcp'
    ? endpointText({ kind: 'tcp', host: served.address, port: served.port })
    : served.path;

/** Registers that clients elsewhere read and write, one unit at each endpoint. */
export class ModbusServers {
  readonly #options: ModbusServersOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: ModbusServersOptions) {
    this.#options = options;
  }

  async serve({ unit, ...named }: NamedEndpoint & { unit: number }, bench: BenchSource) {
    const { clock, scheduler, capacity, letGo, onDefect } = this.#options;
    const endpoint = await namedEndpoint(named, bench, true);
    const resolved = await resolveEndpoint(endpoint);
    this.#requireFree(resolved);
    if (this.#served.size >= capacity) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${capacity} Modbus servers can run`,
        details: { limit: capacity },
      });
    }
    letGo(resolved.key);
    const served: Served = {
      server: new ModbusServer({ clock, scheduler, onDefect }),
      endpoint: endpointText(endpoint),
      unit,
      startedAtUs: clock.unixUs(),
      address: null,
    };
    // Before it listens, so that two who ask at once do not both get there.
    const provisional = isChosenBySystem(endpoint) ? `starting:${clock.unixUs()}` : resolved.key;
    this.#served.set(provisional, served);
    try {
      const address = await served.server.start(resolved, unit, { model: new DataModel() });
      served.address = addressText(address);
      const { key } = address.kind === 'tcp' ? await resolvedAt(address) : resolved;
      this.#served.delete(provisional);
      this.#served.set(key, served);
      return this.#record(served);
    } catch (thrown) {
      this.#served.delete(provisional);
      throw thrown;
    }
  }

  async stop(named: NamedEndpoint, bench: BenchSource) {
    const endpoint = await namedEndpoint(named, bench);
    const [key, served] = await this.#find(endpoint);
    this.#served.delete(key);
    const last = this.#record(served);
    await served.server.stop();
    return { ...last, clients: 0, state: served.server.state };
  }

  records() {
    return [...this.#served.values()].map((served) => this.#record(served));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#served.values()].map(({ server }) => server.stop()));
    this.#served.clear();
  }

  /** By its name first: a device that is gone can no longer be looked up. */
  async #find(endpoint: Endpoint): Promise<[key: string, served: Served]> {
    const text = endpointText(endpoint);
    const named = [...this.#served].find(([, served]) => served.endpoint === text);
    if (named) return named;
    const { key } = await resolveEndpoint(endpoint);
    const served = this.#served.get(key);
    if (!served) throw new BusbarError('server_not_found', { details: { endpoint: text } });
    return [key, served];
  }

  #requireFree({ key, text }: ResolvedEndpoint): void {
    const there = this.#served.get(key);
    // One whose device was lost serves nobody, and may be started anew.
    if (!there || there.server.state === 'lost') return;
    throw new BusbarError('already_running', {
      message: `${text} is served already`,
      details: { server: this.#record(there) },
    });
  }

  #record({ server, endpoint, unit, address, startedAtUs }: Served) {
    return { ...server.record(), endpoint, unit, address, started_at_us: startedAtUs };
  }
}

const isChosenBySystem = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'tcp' && endpoint.port === 0;

const resolvedAt = ({ address, port }: { address: string; port: number }) =>
  resolveEndpoint({ kind: 'tcp', host: address, port });
