import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { DataModel } from '../../modbus/server/data-model.ts';
import type { ServerHooks } from '../../modbus/server/external-write.ts';
import { mergedMap } from '../../modbus/server/map/merged-map.ts';
import type { RegisterMap } from '../../modbus/server/register-map.ts';
import type { ModbusServers, OwnedServer } from '../../modbus/service/modbus-servers.ts';
import { listenPlaceOf } from '../../modbus/service/served-endpoint.ts';
import { servedConflict } from '../instances/output-owners.ts';
import type { TaskError } from '../values/task-error.ts';
import type { ResolvedUnit } from './resolve-modbus.ts';

export interface ServerLinkOwner extends ServerHooks {
  serverLost(error: TaskError): void;
  serverFound(): void;
}

export interface ServerLinkParts {
  readonly servers: Pick<ModbusServers, 'serveFor'>;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly instance: string;
  readonly place: ResolvedUnit;
  readonly map: RegisterMap;
}

export interface ServerLinkState {
  readonly connected: boolean;
  readonly error: TaskError | null;
}

/**
 * Server endpoint of an instance. Its memory is filled before it listens, so that clients see
 * only values of the instance.
 */
export class ServerLink {
  readonly model: DataModel;
  readonly #parts: ServerLinkParts;
  readonly #owner: ServerLinkOwner;
  #server: OwnedServer | null = null;
  #isClosed = false;
  #error: TaskError | null = null;

  static async prepare(parts: ServerLinkParts, owner: ServerLinkOwner): Promise<ServerLink> {
    const map = await mergedMap(parts.map, () => parts.turns.next());
    return new ServerLink(new DataModel(map), parts, owner);
  }

  private constructor(model: DataModel, parts: ServerLinkParts, owner: ServerLinkOwner) {
    this.model = model;
    this.#parts = parts;
    this.#owner = owner;
  }

  /** Address for clients, with the actual port if the system chose it. */
  get resolved(): string {
    return this.#server?.address ?? this.#parts.place.named.endpoint;
  }

  /**
   * Starts serving. Fails with `output_conflict` if `modbus serve` uses the address, and with
   * `modbus_unreachable` if it cannot be bound or opened.
   */
  async listen(): Promise<void> {
    const { servers, instance, place } = this.#parts;
    const owner = { instance, lost: () => this.#lost(), found: () => this.#found() };
    const { unit } = place;
    const { model } = this;
    this.#server = await servers
      .serveFor(owner, place, { unit, model, hooks: this.#owner })
      .catch((thrown: unknown) => {
        if (BusbarError.from(thrown).code !== 'already_running') throw thrown;
        const { named, resolved } = place;
        const listens = listenPlaceOf(resolved);
        throw servedConflict(instance, { listens, endpoint: named.endpoint, unit });
      });
  }

  state(): ServerLinkState {
    return { connected: this.#server !== null && this.#error === null, error: this.#error };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const server = this.#server;
    this.#server = null;
    await server?.stop();
  }

  /** A port can be lost as soon as it is open, before `listen` has returned. */
  #lost(): void {
    if (this.#isClosed) return;
    this.#error = 'device_lost';
    this.#owner.serverLost('device_lost');
  }

  #found(): void {
    if (this.#isClosed) return;
    this.#error = null;
    this.#owner.serverFound();
  }
}
