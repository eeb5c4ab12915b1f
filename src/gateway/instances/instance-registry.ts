import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { LastError } from '../../transmit/record-fields.ts';
import { StateWriter } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { checkInstanceName, type InstanceKind, reservedNames } from '../project/instance-name.ts';
import type { TaskError } from '../values/task-error.ts';
import { instanceLimits, type LoadTicket, newCharges, sumOf, tooManyInstances } from './budget.ts';
import type { InstanceState } from './instance-record.ts';

/** An instance as other threads see it: its tables are shared, not copied. */
export interface SharedInstance {
  readonly kind: InstanceKind;
  readonly name: string;
  /** No other instance of this daemon has or had it, also not one of the same name. */
  readonly serial: number;
  /** Id of the project, or else of the bench that it was loaded on. */
  readonly projectId: string | null;
  readonly file: string;
  /** Unix time. */
  readonly loadedAtUs: number;
  readonly state: InstanceState;
  readonly chargedBytes: number;
  /** Charged to all instances together. */
  readonly daemonBytes: number;
  readonly image: ProjectImage;
  /** Where its endpoints lead, in their order; empty before the first start. */
  readonly endpoints: readonly EndpointState[];
  /** Why a simulation ended on its own; null if it did not. */
  readonly endedBy: LastError | null;
}

/** An endpoint as it is at the moment. */
export interface EndpointState {
  /** Physical port or address. */
  readonly resolved: string;
  readonly connected: boolean;
  readonly error: { readonly code: TaskError; readonly message: string } | null;
}

/** What of an instance runs, or did. */
export interface InstanceBody {
  endpoints(): readonly EndpointState[];
}

interface Reservation {
  readonly kind: InstanceKind;
  /** Null until its file names it. */
  readonly name: string | null;
  readonly place: number;
}

/** An instance on the thread that runs it. */
export interface Instance extends Omit<SharedInstance, 'endpoints' | 'daemonBytes'> {
  /** Of its charge. */
  readonly place: number;
  state: InstanceState;
  readonly writer: StateWriter;
  body: InstanceBody | null;
  endedBy: LastError | null;
}

/**
 * The instances of projects and manifests, which share names, number and memory. A load reserves its place, its name
 * and its memory here before anything is built, and releases them if it fails.
 */
export class InstanceRegistry {
  readonly #instances = new Map<string, Instance>();
  readonly #reservations = new Map<number, Reservation>();
  readonly #charges = newCharges();
  #nextReservation = 1;
  readonly #unixUs: () => number;

  constructor(unixUs: () => number = () => 0) {
    this.#unixUs = unixUs;
  }

  /** Charged to all instances, also to those that are being loaded. */
  get chargedBytes(): number {
    return sumOf(this.#charges);
  }

  instances(kind: InstanceKind = 'project'): readonly SharedInstance[] {
    const ofKind = [...this.#instances.values()].filter((instance) => instance.kind === kind);
    return ofKind.map((instance) => this.#shared(instance));
  }

  /** Keeps a place, and a name if it is known, until the load is over. */
  reserve(name: string | null, kind: InstanceKind = 'project'): LoadTicket {
    const taken = this.#instances.size + this.#reservations.size;
    if (taken >= instanceLimits.instances) {
      // A name that is taken will not become free by waiting for a place.
      if (name !== null) this.#checkFree(name);
      throw tooManyInstances();
    }
    if (name !== null) this.#checkFree(name);
    const reservation = this.#nextReservation++;
    const place = this.#freePlace();
    this.#reservations.set(reservation, { kind, name, place });
    return { reservation, place, charges: this.#charges };
  }

  /** Makes an instance of a reservation, which the id of the project or bench names if nothing else does. */
  commit(
    { reservation: serial }: Pick<LoadTicket, 'reservation'>,
    file: string,
    image: ProjectImage,
    projectId = image.projectId,
  ): SharedInstance {
    const reservation = this.#reservations.get(serial);
    if (!reservation) throw new BusbarError('internal_error');
    const { kind, place } = reservation;
    const name = reservation.name ?? this.#nameOf(kind, projectId);
    const instance: Instance = {
      ...{ kind, name, serial, place, projectId, file, image },
      loadedAtUs: this.#unixUs(),
      state: 'loaded',
      chargedBytes: Atomics.load(this.#charges, place),
      writer: new StateWriter(image),
      body: null,
      endedBy: null,
    };
    this.#reservations.delete(serial);
    this.#instances.set(name, instance);
    return this.#shared(instance);
  }

  #nameOf(kind: InstanceKind, projectId: string | null): string {
    if (projectId === null) {
      throw invalidArgument(
        'instance',
        'instance is needed, because neither the project nor the bench has an id',
      );
    }
    if (reservedNames.includes(projectId)) {
      throw invalidArgument(
        'instance',
        `instance is needed, because the API reserves ${projectId}, the id of the project or bench`,
      );
    }
    this.#checkFree(projectId, fieldOf({ kind }));
    return projectId;
  }

  /** Frees what a load that failed had reserved. */
  release({ reservation: number }: Pick<LoadTicket, 'reservation'>): void {
    const reservation = this.#reservations.get(number);
    if (!reservation) return;
    this.#reservations.delete(number);
    Atomics.store(this.#charges, reservation.place, 0);
  }

  /** The thread that loads has died, and its builders with it. */
  releaseAll(): void {
    for (const reservation of this.#reservations.keys()) this.release({ reservation });
  }

  get(name: string, kind?: InstanceKind): SharedInstance {
    return this.#shared(this.instance(name, kind));
  }

  /** The instance that something was prepared for, and not another one of its name. */
  sameInstance(name: string, serial: number): Instance {
    const instance = this.instance(name);
    if (instance.serial !== serial) throw notFound(name, instance.kind);
    return instance;
  }

  /** Takes out an instance that does not run. */
  unload(name: string, kind?: InstanceKind): SharedInstance {
    const instance = this.instance(name, kind);
    checkIdle(instance);
    this.#instances.delete(name);
    Atomics.store(this.#charges, instance.place, 0);
    return this.#shared(instance);
  }

  #shared(instance: Instance): SharedInstance {
    const { writer: _, place: __, body, ...known } = instance;
    return { ...known, daemonBytes: this.chargedBytes, endpoints: body?.endpoints() ?? [] };
  }

  #freePlace(): number {
    const held = [...this.#instances.values(), ...this.#reservations.values()];
    const taken = new Set(held.map(({ place }) => place));
    return this.#charges.findIndex((_, place) => !taken.has(place));
  }

  instance(name: string, kind: InstanceKind = 'project'): Instance {
    const instance = this.#instances.get(name);
    if (instance?.kind !== kind) throw notFound(name, kind);
    return instance;
  }

  #checkFree(name: string, field = 'instance'): void {
    checkInstanceName(name);
    const isReserved = [...this.#reservations.values()].some((other) => other.name === name);
    if (!isReserved && !this.#instances.has(name)) return;
    throw new BusbarError('already_exists', {
      message: `There is an instance ${name} already`,
      details: { field, instance: name },
    });
  }
}

/** The argument that commands name an instance in. */
const fieldOf = ({ kind }: { readonly kind: InstanceKind }): string =>
  kind === 'manifest' ? 'name' : 'instance';

/** Whether an instance does nothing, and is about to do nothing. */
const isIdle = (state: InstanceState): boolean => state === 'loaded' || state === 'stopped';

/** Refuses what only an instance can do that does not run. */
export const checkIdle = (instance: Instance): void => {
  const { name, state } = instance;
  if (isIdle(state)) return;
  throw new BusbarError('instance_running', {
    message: `${name} is ${state}`,
    details: { field: fieldOf(instance), instance: name, state },
  });
};

const notFound = (name: string, kind: InstanceKind): BusbarError =>
  kind === 'manifest'
    ? new BusbarError('instance_not_found', {
        message: `There is no simulation ${name} of a manifest`,
        details: { field: 'name', instance: name },
      })
    : new BusbarError('instance_not_found', {
        message: `There is no instance ${name}`,
        details: { instance: name },
      });
