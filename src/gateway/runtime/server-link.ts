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

/** What hears from the server of an endpoint: writes of clients, and its serial port. */
export interface ServerLinkOwner extends ServerHooks {
  /** No client can reach it until further notice. */
  serverLost(error: TaskError): void;
  serverFound(): void;
}

export interface ServerLinkParts {
  readonly servers: Pick<ModbusServers, 'serveFor'>;
  /** Those of the bench thread. */
  readonly turns: Pick<YieldQueue, 'next'>;
  /** The name of the instance. */
  readonly instance: string;
  readonly place: ResolvedUnit;
  /** All that it has; anything else is refused. */
  readonly map: RegisterMap;
}

export interface ServerLinkState {
  readonly connected: boolean;
  readonly error: TaskError | null;
}

/**
 * What an instance has to do with one server endpoint. Its memory is there before it listens, so that no client sees
 * anything but what the instance has put there.
 */
export class ServerLink {
  readonly model: DataModel;
  readonly #parts: ServerLinkParts;
  readonly #owner: ServerLinkOwner;
  #server: OwnedServer | null = null;
  #isClosed = false;
  #error: TaskError | null = null;

  /** Makes the memory, over several turns where it is large. */
  static async prepare(parts: ServerLinkParts, owner: ServerLinkOwner): Promise<ServerLink> {
    const map = await mergedMap(parts.map, () => parts.turns.next());
    return new ServerLink(new DataModel(map), parts, owner);
  }

  private constructor(model: DataModel, parts: ServerLinkParts, owner: ServerLinkOwner) {
    this.model = model;
    this.#parts = parts;
    this.#owner = owner;
  }

  /** Where clients reach it, with the port that the system chose where it did. */
  get resolved(): string {
    return this.#server?.address ?? this.#parts.place.named.endpoint;
  }

  /**
   * Serves from now on. Fails with `output_conflict` where `modbus serve` has the place, and with
   * `modbus_unreachable` where it cannot be bound or opened.
   */
  async listen(): Promise<void> {
    const { servers, instance, place } = this.#parts;
    const owner = {
      instance,
      lost: () => this.#lost(),
      found: () => this.#found(),
    };
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

  /** Lets go of the place and of all clients. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const server = this.#server;
    this.#server = null;
    await server?.stop();
  }

  /** A port may go away as soon as it is open, before `listen` has returned. */
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
