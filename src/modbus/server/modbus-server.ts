import type { Clock, Timer } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { requireUnit } from '../framing/unit-ids.ts';
import type { DeviceIdentity } from '../pdu/device-identity.ts';
import { BackOff } from '../session/back-off.ts';
import {
  isTcp,
  type ResolvedEndpoint,
  type SerialKind,
  type TcpKind,
} from '../transport/endpoint.ts';
import type { DataModel } from './data-model.ts';
import type { ServerHooks } from './external-write.ts';
import { RequestHandler } from './request-handler.ts';
import { type OpenPort, SerialService } from './serial-service.ts';
import { ServedUnit, ServedUnits } from './served-unit.ts';
import { ServerCounters } from './server-counters.ts';
import type { ServerCounterRecord, ServerState } from './server-record.ts';
import { TcpService } from './tcp-service.ts';
import type { UnitFault } from './unit-faults.ts';

export interface ModbusServerPorts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly onDefect: (thrown: unknown) => void;
  /** The serial port was lost. It is reopened as soon as it is available again. */
  readonly onLost?: (error: BusbarError | undefined) => void;
  readonly onFound?: () => void;
  readonly openPort?: OpenPort;
}

export interface UnitOptions {
  readonly model: DataModel;
  readonly hooks?: ServerHooks;
  readonly identity?: DeviceIdentity;
  readonly functions?: ReadonlySet<number>;
  readonly faults?: readonly UnitFault[];
}

export interface EndpointOptions {
  /**
   * Maximum number of connections. Further ones are closed unless one of the others has long
   * been idle.
   */
  readonly maxClients?: number;
  readonly idleTimeoutMs?: number;
}

export interface ServeOptions extends UnitOptions, EndpointOptions {}

export interface UnitSettings extends UnitOptions {
  readonly unit: number;
}

export type ServedAddress =
  | { readonly kind: TcpKind; readonly address: string; readonly port: number }
  | { readonly kind: SerialKind; readonly path: string };

export interface ServerReport extends ServerCounterRecord {
  readonly state: ServerState;
  readonly units: readonly number[];
  readonly clients: number;
}

interface Service {
  readonly clients: number;
  close(): Promise<void>;
}

const defaultMaxClients = 64;

export class ModbusServer {
  readonly counters = new ServerCounters();
  readonly #ports: ModbusServerPorts;
  #state: ServerState = 'stopped';
  #units: readonly number[] = [];
  #models: ReadonlyMap<number, DataModel> = new Map();
  #service: Service | undefined;
  #start: Promise<unknown> = Promise.resolve();
  readonly #backOff = new BackOff();
  #retry: Timer | undefined;

  constructor(ports: ModbusServerPorts) {
    this.#ports = ports;
  }

  get state(): ServerState {
    return this.#state;
  }

  modelOf(unit: number): DataModel | undefined {
    return this.#models.get(unit);
  }

  record(): ServerReport {
    return {
      state: this.#state,
      units: this.#units,
      clients: this.#service?.clients ?? 0,
      ...this.counters.record(),
    };
  }

  start(endpoint: ResolvedEndpoint, unit: number, options: ServeOptions): Promise<ServedAddress> {
    return this.serve(endpoint, [{ ...options, unit }], options);
  }

  async serve(
    endpoint: ResolvedEndpoint,
    units: readonly UnitSettings[],
    options: EndpointOptions = {},
  ): Promise<ServedAddress> {
    for (const { unit } of units) requireUnit(endpoint.kind, unit);
    const { maxClients = defaultMaxClients, idleTimeoutMs } = options;
    if (!Number.isInteger(maxClients) || maxClients < 1) {
      throw invalidArgument('max_clients', 'max_clients is an integer from 1 on');
    }
    if (idleTimeoutMs !== undefined && !(idleTimeoutMs > 0)) {
      throw invalidArgument('idle_timeout_ms', 'idle_timeout_ms is above 0');
    }
    if (this.#state === 'starting' || this.#state === 'listening') {
      throw new BusbarError('already_running', { details: { endpoint: endpoint.text } });
    }
    this.#retry?.cancel();
    this.#state = 'starting';
    this.#units = units.map(({ unit }) => unit);
    this.#models = new Map(units.map(({ unit, model }) => [unit, model]));
    const start = this.#open(endpoint, units, options);
    this.#start = start.catch(() => undefined);
    try {
      const address = await start;
      this.#state = 'listening';
      return address;
    } catch (error) {
      this.#service = undefined;
      this.#state = 'stopped';
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#retry?.cancel();
    await this.#start;
    this.#retry?.cancel();
    const service = this.#service;
    this.#service = undefined;
    this.#state = 'stopped';
    await service?.close();
  }

  async #open(
    endpoint: ResolvedEndpoint,
    units: readonly UnitSettings[],
    options: EndpointOptions,
  ): Promise<ServedAddress> {
    const { clock, scheduler } = this.#ports;
    const { counters } = this;
    const served = new ServedUnits(units.map((settings) => this.#unitWith(settings)));
    const shared = { clock, scheduler, units: served, counters };
    if (isTcp(endpoint)) {
      const { kind, gapMs } = endpoint;
      const service = new TcpService({
        ...shared,
        kind,
        gapMs,
        maxClients: options.maxClients ?? defaultMaxClients,
        idleTimeoutMs: options.idleTimeoutMs ?? Number.POSITIVE_INFINITY,
      });
      this.#service = service;
      return { kind, ...(await service.open(endpoint.address, endpoint.port)) };
    }
    const open = async (path: string): Promise<void> => {
      const service = new SerialService({
        ...shared,
        kind: endpoint.kind,
        baudRate: endpoint.settings.baudRate,
        gapMs: endpoint.gapMs,
        // A returned adapter may be another device of the same name.
        onLost: (error) => this.#lose(error, () => open(endpoint.named)),
      });
      this.#service = service;
      await service.open({ path, settings: endpoint.settings }, this.#ports.openPort);
    };
    await open(endpoint.path);
    return { kind: endpoint.kind, path: endpoint.path };
  }

  #lose(error: BusbarError | undefined, open: () => Promise<void>): void {
    this.#state = 'lost';
    this.#backOff.succeeded();
    this.#ports.onLost?.(error);
    this.#reopenLater(open);
  }

  /** Retries with growing delays. Written data is preserved. */
  #reopenLater(open: () => Promise<void>): void {
    const { clock, onFound } = this.#ports;
    const nowUs = clock.monotonicUs();
    this.#backOff.failed(nowUs);
    this.#retry = clock.after((this.#backOff.untilUs - nowUs) / 1000, () => {
      this.#start = open().then(
        () => {
          this.#state = 'listening';
          onFound?.();
        },
        () => this.#reopenLater(open),
      );
    });
  }

  #unitWith({ unit, faults, model, hooks, identity, functions }: UnitSettings): ServedUnit {
    const handler = new RequestHandler({
      model,
      counters: this.counters,
      onDefect: this.#ports.onDefect,
      ...(hooks && { hooks }),
      ...(identity && { identity }),
      ...(functions && { functions }),
    });
    return new ServedUnit(unit, handler, this.counters, faults);
  }
}
