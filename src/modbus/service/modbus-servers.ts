import type { Clock } from '../../base/clock/clock.ts';
import { pause } from '../../base/clock/pause.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import { DataModel } from '../server/data-model.ts';
import { mappedModel } from '../server/map/mapped-model.ts';
import type { UnitMap } from '../server/map/parse-map.ts';
import { ModbusServer, type ServedAddress, type UnitSettings } from '../server/modbus-server.ts';
import {
  type Endpoint,
  type EndpointKind,
  isTcp,
  type ResolvedEndpoint,
} from '../transport/endpoint.ts';
import { systemResolver } from '../transport/resolve-endpoint.ts';
import { heldItems, type RegistersRequest, requireModel, withFirstItems } from './held-items.ts';
import type { TargetRecord } from './item-record.ts';
import { exclusive, type NamedEndpoint, namedEndpoint } from './named-endpoint.ts';
import { itemRecord, itemsToRead, requestedItems } from './named-items.ts';
import type { ModbusRegisters } from './request-record.ts';
import {
  addressText,
  excludeEachOther,
  isChosenBySystem,
  listenPlaceOf,
  placeMatchers,
  type ResolvedTarget,
  type ServedEndpoint,
  serverNotFound,
  type WantedPlace,
} from './served-endpoint.ts';
import type { ModbusServerRecord } from './status-record.ts';

export type ReadMap = (file: string, kind: EndpointKind) => Promise<Iterable<UnitMap>>;

export interface ServeRequest extends NamedEndpoint {
  readonly unit?: number;
  readonly map?: string;
}

interface ModbusServersOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly capacity: number;
  readonly readMap: ReadMap;
  readonly closeIdle: (key: string) => void;
  readonly onLost: (endpoint: string, error: BusbarError | undefined) => void;
  readonly onFound: (endpoint: string) => void;
  readonly onDefect: (thrown: unknown) => void;
  readonly resolve?: (endpoint: Endpoint) => Promise<ResolvedEndpoint>;
}

/** The part of the service that owns a server. Only the owner can stop it. */
export interface ServerOwner {
  readonly instance: string;
  lost(error: BusbarError | undefined): void;
  found(): void;
}

export interface OwnedServer {
  readonly address: string;
  stop(): Promise<void>;
}

interface Served extends ServedEndpoint {
  readonly server: ModbusServer;
  readonly owner: ServerOwner | null;
  readonly map: string | null;
  readonly startedAtUs: number;
  key: string | null;
  bound: ServedAddress | null;
}

/** Even slow pollers send more often. An idle client has most likely vanished. */
const idleTimeoutMs = 3_600_000;

/** Models built per turn. Even a small one takes 0.1 ms. */
const modelsPerTurn = 8;

export class ModbusServers {
  readonly #options: ModbusServersOptions;
  readonly #served = new Set<Served>();

  constructor(options: ModbusServersOptions) {
    this.#options = options;
  }

  async serve(
    { unit, map, ...asked }: ServeRequest,
    bench: BenchSource,
  ): Promise<ModbusServerRecord> {
    const target = await namedEndpoint(asked, bench, true);
    const units = await this.#unitsOf(unit, map, target.endpoint.kind);
    const resolved = await this.#resolve(target.endpoint);
    const place = { ...target, resolved };
    return recordOf(await this.#serve(place, units, { map: map ?? null, owner: null }));
  }

  async serveFor(
    owner: ServerOwner,
    place: ResolvedTarget,
    unit: UnitSettings,
  ): Promise<OwnedServer> {
    const served = await this.#serve(place, [unit], { map: null, owner });
    return {
      address: served.bound ? addressText(served.bound) : place.named.endpoint,
      stop: () => this.#end(served),
    };
  }

  /** Stops a server by any name of its endpoint. The response repeats that name. */
  async stop(asked: NamedEndpoint, bench: BenchSource): Promise<ModbusServerRecord> {
    const { served, named } = await this.#serverOf(asked, bench);
    requireUnowned(served);
    const last = recordOf(served);
    await this.#end(served);
    return { ...last, ...named, clients: 0, state: served.server.state };
  }

  async registers(request: RegistersRequest, bench: BenchSource): Promise<ModbusRegisters> {
    const typed = requestedItems(withFirstItems(request));
    const values = request.count;
    itemsToRead(typed, request, values);
    const isNamed = request.network !== undefined || request.endpoint !== undefined;
    const { served, named } = isNamed ? await this.#serverOf(request, bench) : this.#only();
    const { unit, model } = requireModel(served.server, request.unit, named.endpoint);
    return { ...itemRecord(named, unit, typed), ...heldItems(model, typed, values, request.show) };
  }

  records(): ModbusServerRecord[] {
    return [...this.#served].map(recordOf);
  }

  async close(): Promise<void> {
    const all = [...this.#served];
    this.#served.clear();
    await Promise.all(all.map(({ server }) => server.stop()));
  }

  async #serve(
    place: ResolvedTarget,
    units: readonly UnitSettings[],
    more: Pick<Served, 'map' | 'owner'>,
  ): Promise<Served> {
    const { endpoint, named, resolved } = place;
    const key = isChosenBySystem(endpoint) ? null : resolved.key;
    const wanted = { endpoint, named, resolved: key === null ? undefined : resolved };
    this.#requireFree(key, wanted);
    this.#replaceLost(wanted);
    this.#requireCapacity();
    this.#options.closeIdle(resolved.key);
    const served: Served = {
      ...more,
      server: this.#createServer(() => served),
      named,
      endpoint,
      resolved,
      startedAtUs: this.#options.clock.unixUs(),
      key,
      bound: null,
    };
    // Before it listens, so that two simultaneous calls do not both start it.
    this.#served.add(served);
    try {
      await this.#start(served, units);
    } catch (thrown) {
      this.#served.delete(served);
      throw thrown;
    }
    return served;
  }

  async #end(served: Served): Promise<void> {
    this.#served.delete(served);
    await served.server.stop();
  }

  #createServer(served: () => Served): ModbusServer {
    const { clock, scheduler, onLost, onDefect } = this.#options;
    return new ModbusServer({
      clock,
      scheduler,
      onDefect,
      onLost: (error) => {
        const { named, owner } = served();
        onLost(named.endpoint, error);
        owner?.lost(error);
      },
      onFound: () => this.#lookUp(served()),
    });
  }

  /** A returned device may be a different one. */
  #lookUp(served: Served): void {
    const { onFound, onDefect } = this.#options;
    const found = this.#resolve(served.endpoint).then((resolved) => {
      served.key = resolved.key;
      if (!isTcp(resolved)) served.bound = { kind: resolved.kind, path: resolved.path };
    });
    const report = (): void => {
      onFound(served.named.endpoint);
      served.owner?.found();
    };
    found.then(report).catch(onDefect);
  }

  async #unitsOf(
    unit: number | undefined,
    map: string | undefined,
    kind: EndpointKind,
  ): Promise<readonly UnitSettings[]> {
    if (map === undefined) {
      if (unit === undefined) {
        throw invalidArgument('unit', 'unit or map is required', { reason: 'missing' });
      }
      return [{ unit: requireUnit(kind, unit), model: new DataModel() }];
    }
    if (unit !== undefined) throw exclusive('unit', 'map');
    const { clock, readMap } = this.#options;
    const nextTurn = (): Promise<void> => pause(clock, 0);
    const settings: UnitSettings[] = [];
    for (const { ranges, ...rest } of await readMap(map, kind)) {
      settings.push({ ...rest, model: await mappedModel(ranges, nextTurn) });
      if (settings.length % modelsPerTurn === 0) await nextTurn();
    }
    return settings;
  }

  async #start(served: Served, units: readonly UnitSettings[]): Promise<void> {
    const { server, resolved } = served;
    served.bound = await server.serve(resolved, units, { idleTimeoutMs });
    served.key = await this.#keyOf(served.bound, resolved);
    if (this.#served.has(served)) return;
    // A call that stopped it meanwhile aborts the start too.
    await server.stop();
    throw new BusbarError('operation_cancelled', {
      message: `${served.named.endpoint} was stopped during its start`,
    });
  }

  /** An owned endpoint stays in use even while its device is lost. */
  #requireFree(key: string | null, wanted: WantedPlace): void {
    const there =
      this.#find((served) => key !== null && isTaken(served) && isBlocking(served, wanted)) ??
      this.#find((served) => served.owner !== null && !isAlive(served) && isMeant(served, wanted));
    if (!there) return;
    throw new BusbarError('already_running', {
      message: `${wanted.named.endpoint} already has a server`,
      details: { server: recordOf(there) },
    });
  }

  /** A server without its device serves no client, so another server may replace it. */
  #replaceLost(wanted: WantedPlace): void {
    for (const served of this.#served) {
      if (isTaken(served) || !isMeant(served, wanted)) continue;
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

  async #serverOf(
    asked: NamedEndpoint,
    bench: BenchSource,
  ): Promise<{ served: Served; named: TargetRecord }> {
    const target = await namedEndpoint(asked, bench, true).catch((thrown: unknown) => {
      // A server keeps the name of a network that was removed from the bench.
      const served = this.#find(({ named }) => named.network === asked.network);
      if (asked.network === undefined || !served) throw thrown;
      return served;
    });
    const { named, endpoint } = target;
    if ('server' in target) return { served: target, named };
    const resolution = await this.#resolve(endpoint).then(
      (resolved) => ({ resolved }),
      // A lost device cannot be resolved, but its server still has the name.
      (thrown: unknown) => ({ resolved: undefined, thrown }),
    );
    const { resolved } = resolution;
    if (isChosenBySystem(endpoint)) return { served: this.#startedAs(named, resolved?.key), named };
    const served = this.#placed({ ...target, resolved });
    if (served) return { served, named };
    if ('thrown' in resolution) throw resolution.thrown;
    throw serverNotFound(named);
  }

  #only(): { served: Served; named: TargetRecord } {
    const [served, ...others] = this.#served;
    if (!served) throw new BusbarError('server_not_found');
    if (others.length === 0) return { served, named: served.named };
    const addresses = [served, ...others].map(({ bound }) => bound && addressText(bound));
    throw invalidArgument('endpoint', `${addresses.length} servers are running: select one`, {
      reason: 'ambiguous',
      addresses,
    });
  }

  /** Among servers of the same name, a serving one is preferred to a lost one. */
  #placed(wanted: WantedPlace): Served | undefined {
    for (const isFound of placeMatchers) {
      const found =
        this.#find((served) => isFound(served, wanted) && isAlive(served)) ??
        this.#find((served) => isFound(served, wanted));
      if (found) return found;
    }
    return undefined;
  }

  /** If the system chose the port, the endpoint may still identify the server. */
  #startedAs(named: TargetRecord, key: string | undefined): Served {
    const [one, ...others] = [...this.#served].filter(({ resolved }) => resolved.key === key);
    if (!one) throw serverNotFound(named);
    if (others.length === 0) return one;
    const addresses = [one, ...others].map(({ bound }) => bound && addressText(bound));
    throw invalidArgument(
      'endpoint',
      `${addresses.length} servers were started as ${named.endpoint}: select one by its address, see modbus status`,
      { reason: 'ambiguous', addresses },
    );
  }

  #resolve(endpoint: Endpoint): Promise<ResolvedEndpoint> {
    const { clock, resolve = systemResolver(clock) } = this.#options;
    return resolve(endpoint);
  }

  /** The system may have chosen the port. */
  async #keyOf(address: ServedAddress, asked: ResolvedEndpoint): Promise<string> {
    if (!isTcp(address)) return asked.key;
    const { kind, address: host, port } = address;
    const { key } = await this.#resolve({ kind, host, port });
    return key;
  }

  #find(isMeant: (served: Served) => boolean): Served | undefined {
    return [...this.#served].find(isMeant);
  }
}

const isAlive = ({ server: { state } }: Served): boolean =>
  state === 'starting' || state === 'listening';

const isTaken = (served: Served): boolean => isAlive(served) || served.owner !== null;

const isBlocking = ({ key, bound, resolved }: Served, wanted: WantedPlace): boolean => {
  if (key === null || wanted.resolved === undefined) return false;
  const tcp = bound !== null && isTcp(bound) ? bound : listenPlaceOf(resolved).tcp;
  return excludeEachOther({ key, tcp }, listenPlaceOf(wanted.resolved));
};

const isMeant = (served: Served, wanted: WantedPlace): boolean =>
  placeMatchers.some((isFound) => isFound(served, wanted));

/** An instance's server stops only with the instance. */
const requireUnowned = ({ owner, named }: Served): void => {
  if (owner === null) return;
  throw new BusbarError('busy', {
    message: `${named.endpoint} belongs to the gateway instance ${owner.instance}: stop the instance`,
    details: { ...named, instance: owner.instance },
  });
};

/** Identity first, then counters. */
const recordOf = (served: Served): ModbusServerRecord => {
  const { server, named, bound, map, owner, startedAtUs } = served;
  const { units, state, clients, ...counts } = server.record();
  return {
    ...named,
    address: bound && addressText(bound),
    unit: units.length === 1 ? (units[0] ?? null) : null,
    units: [...units],
    map,
    instance: owner?.instance ?? null,
    state,
    clients,
    started_at_us: startedAtUs,
    ...counts,
  };
};
