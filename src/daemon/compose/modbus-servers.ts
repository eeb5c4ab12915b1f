import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { requireUnit } from '../../modbus/framing/unit-ids.ts';
import { DataModel } from '../../modbus/server/data-model.ts';
import { ModbusServer, type ServedAddress } from '../../modbus/server/modbus-server.ts';
import type { Endpoint, ResolvedEndpoint } from '../../modbus/transport/endpoint.ts';
import { endpointText } from '../../modbus/transport/endpoint-text.ts';
import { systemResolver } from '../../modbus/transport/resolve-endpoint.ts';
import { type NamedEndpoint, namedEndpoint } from './modbus-target.ts';

interface ModbusServersOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Servers at a time. */
  readonly capacity: number;
  /** Asks everybody else here to leave an endpoint that they do not use now. */
  readonly letGo: (key: string) => void;
  /** The serial port of a server went away. */
  readonly onLost: (endpoint: string, error: BusbarError | undefined) => void;
  readonly onDefect: (thrown: unknown) => void;
  readonly resolve?: (endpoint: Endpoint) => Promise<ResolvedEndpoint>;
}

interface Served {
  readonly server: ModbusServer;
  /** As it was named. */
  readonly endpoint: string;
  readonly unit: number;
  readonly startedAtUs: number;
  /** The same for all names of the place; null while the system has not chosen a port. */
  key: string | null;
  address: string | null;
}

/** Even slow pollers ask more often; those who do not have most likely gone without a word. */
const idleTimeoutMs = 3_600_000;

/** Registers that clients elsewhere read and write, one unit at each endpoint. */
export class ModbusServers {
  readonly #options: ModbusServersOptions;
  readonly #served = new Set<Served>();

  constructor(options: ModbusServersOptions) {
    this.#options = options;
  }

  async serve({ unit, ...named }: NamedEndpoint & { unit: number }, bench: BenchSource) {
    const endpoint = await namedEndpoint(named, bench, true);
    requireUnit(endpoint.kind, unit);
    const resolved = await this.#resolve(endpoint);
    const text = endpointText(endpoint);
    const key = isChosenBySystem(endpoint) ? null : resolved.key;
    this.#requireFree(key, text);
    this.#replaceLost(key, text);
    this.#requireCapacity();
    this.#options.letGo(resolved.key);
    const served: Served = {
      server: this.#createServer(text),
      endpoint: text,
      unit,
      startedAtUs: this.#options.clock.unixUs(),
      key,
      address: null,
    };
    // Before it listens, so that two who ask at once do not both get there.
    this.#served.add(served);
    try {
      await this.#start(served, resolved);
    } catch (thrown) {
      this.#served.delete(served);
      throw thrown;
    }
    return recordOf(served);
  }

  async stop(named: NamedEndpoint, bench: BenchSource) {
    const endpoint = await namedEndpoint(named, bench, true);
    const served = isChosenBySystem(endpoint)
      ? this.#startedAs(endpointText(endpoint))
      : await this.#servedAt(endpoint);
    this.#served.delete(served);
    const last = recordOf(served);
    await served.server.stop();
    return { ...last, clients: 0, state: served.server.state };
  }

  records() {
    return [...this.#served].map(recordOf);
  }

  async close(): Promise<void> {
    const all = [...this.#served];
    this.#served.clear();
    await Promise.all(all.map(({ server }) => server.stop()));
  }

  #createServer(endpoint: string): ModbusServer {
    const { clock, scheduler, onLost, onDefect } = this.#options;
    return new ModbusServer({
      clock,
      scheduler,
      onDefect,
      onLost: (error) => onLost(endpoint, error),
    });
  }

  async #start(served: Served, resolved: ResolvedEndpoint): Promise<void> {
    const { server, unit } = served;
    const address = await server.start(resolved, unit, { model: new DataModel(), idleTimeoutMs });
    served.address = addressText(address);
    served.key = await this.#keyOf(address, resolved);
    if (this.#served.has(served)) return;
    // Whoever stopped it meanwhile is done with it, and so must be whoever started it.
    await server.stop();
    throw new BusbarError('operation_cancelled', {
      message: `${served.endpoint} was stopped before it was served`,
    });
  }

  #requireFree(key: string | null, text: string): void {
    const there = this.#find((served) => served.key === key && isAlive(served));
    if (key === null || !there) return;
    throw new BusbarError('already_running', {
      message: `${text} is served already`,
      details: { server: recordOf(there) },
    });
  }

  /** One whose device was lost serves nobody; it makes room for another of its place or name. */
  #replaceLost(key: string | null, text: string): void {
    for (const served of this.#served) {
      if (isAlive(served) || (served.key !== key && served.endpoint !== text)) continue;
      this.#served.delete(served);
      served.server.stop().catch(this.#options.onDefect);
    }
  }

  #requireCapacity(): void {
    const { capacity } = this.#options;
    if (this.#served.size < capacity) return;
    throw new BusbarError('capacity_exceeded', {
      message: `At most ${capacity} Modbus servers can run`,
      details: { limit: capacity },
    });
  }

  /** The place counts before the name, and among namesakes one that serves before one that is lost. */
  async #servedAt(endpoint: Endpoint): Promise<Served> {
    const text = endpointText(endpoint);
    const isNamed = (served: Served): boolean => served.endpoint === text;
    const resolution = await this.#resolve(endpoint).then(
      ({ key }) => ({ key }),
      // A device that is gone can no longer be looked up, but its server still has the name.
      (thrown: unknown) => ({ key: undefined, thrown }),
    );
    const found =
      this.#find(({ key }) => key === resolution.key) ??
      this.#find((served) => isNamed(served) && isAlive(served)) ??
      this.#find(isNamed);
    if (found) return found;
    if ('thrown' in resolution) throw resolution.thrown;
    throw notFound(text);
  }

  /** Where the system chose the port, the endpoint may still tell which server is meant. */
  #startedAs(text: string): Served {
    const [one, ...others] = [...this.#served].filter(({ endpoint }) => endpoint === text);
    if (!one) throw notFound(text);
    if (others.length === 0) return one;
    const addresses = [one, ...others].map(({ address }) => address);
    throw invalidArgument(
      'endpoint',
      `${addresses.length} servers were started as ${text}: name one by its address, see modbus status`,
      { reason: 'ambiguous', addresses },
    );
  }

  #resolve(endpoint: Endpoint): Promise<ResolvedEndpoint> {
    const { clock, resolve = systemResolver(clock) } = this.#options;
    return resolve(endpoint);
  }

  /** The port may be one that the system chose. */
  async #keyOf(address: ServedAddress, asked: ResolvedEndpoint): Promise<string> {
    if (address.kind !== 'tcp') return asked.key;
    const { key } = await this.#resolve({ kind: 'tcp', host: address.address, port: address.port });
    return key;
  }

  #find(isMeant: (served: Served) => boolean): Served | undefined {
    return [...this.#served].find(isMeant);
  }
}

const isAlive = ({ server: { state } }: Served): boolean =>
  state === 'starting' || state === 'listening';

const isChosenBySystem = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'tcp' && endpoint.port === 0;

const notFound = (endpoint: string): BusbarError =>
  new BusbarError('server_not_found', { details: { endpoint } });

const addressText = (served: ServedAddress): string =>
  isTcp(served)
    ? endpointText({ kind: served.kind, host: served.address, port: served.port })
    : served.path;

/** Who it is comes first, then what it has seen. */
const recordOf = ({ server, endpoint, address, unit, startedAtUs }: Served) => {
  const { unit: _, state, clients, ...counts } = server.record();
  return { endpoint, address, unit, state, clients, started_at_us: startedAtUs, ...counts };
};
