import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { LastError } from '../../transmit/record-fields.ts';
import { StateWriter } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { checkInstanceName, type InstanceKind, reservedNames } from '../project/instance-name.ts';
import type { TaskError } from '../values/task-error.ts';
import { instanceLimits, type LoadTicket, newCharges, sumOf, tooManyInstances } from './budget.ts';
import type { InstanceState } from './instance-record.ts';

export interface SharedInstance {
  readonly kind: InstanceKind;
  readonly name: string;
  /** Unique in this daemon, even if a name is reused. */
  readonly serial: number;
  readonly projectId: string | null;
  readonly file: string;
  readonly loadedAtUs: number;
  readonly state: InstanceState;
  readonly chargedBytes: number;
  readonly daemonBytes: number;
  readonly image: ProjectImage;
  readonly endpoints: readonly EndpointState[];
  readonly endedBy: LastError | null;
}

export interface EndpointState {
  readonly resolved: string;
  readonly connected: boolean;
  readonly error: { readonly code: TaskError; readonly message: string } | null;
}

export interface RunningInstance {
  endpoints(): readonly EndpointState[];
}

interface Reservation {
  readonly kind: InstanceKind;
  readonly name: string | null;
  readonly place: number;
}

export interface Instance extends Omit<SharedInstance, 'endpoints' | 'daemonBytes'> {
  readonly place: number;
  state: InstanceState;
  readonly writer: StateWriter;
  body: RunningInstance | null;
  endedBy: LastError | null;
}

/**
 * Instances of projects and manifests. They share names, a maximum number and memory. A load
 * reserves all three, and releases them if it fails.
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

  /** Includes loads in progress. */
  get chargedBytes(): number {
    return sumOf(this.#charges);
  }

  instances(kind: InstanceKind = 'project'): readonly SharedInstance[] {
    const ofKind = [...this.#instances.values()].filter((instance) => instance.kind === kind);
    return ofKind.map((instance) => this.#shared(instance));
  }

  reserve(name: string | null, kind: InstanceKind = 'project'): LoadTicket {
    const taken = this.#instances.size + this.#reservations.size;
    if (taken >= instanceLimits.instances) {
      // Waiting does not free a name that is in use.
      if (name !== null) this.#checkFree(name);
      throw tooManyInstances();
    }
    if (name !== null) this.#checkFree(name);
    const reservation = this.#nextReservation++;
    const place = this.#freePlace();
    this.#reservations.set(reservation, { kind, name, place });
    return { reservation, place, charges: this.#charges };
  }

  /** Turns a reservation into an instance. The default name is that of the project or bench. */
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
        'instance is required, because neither the project nor the bench has an id',
      );
    }
    if (reservedNames.includes(projectId)) {
      throw invalidArgument(
        'instance',
        `instance is required, because the API reserves ${projectId}, the id of the project or bench`,
      );
    }
    this.#checkFree(projectId, fieldOf({ kind }));
    return projectId;
  }

  release({ reservation: number }: Pick<LoadTicket, 'reservation'>): void {
    const reservation = this.#reservations.get(number);
    if (!reservation) return;
    this.#reservations.delete(number);
    Atomics.store(this.#charges, reservation.place, 0);
  }

  /** Called when the loading thread died with its builders. */
  releaseAll(): void {
    for (const reservation of this.#reservations.keys()) this.release({ reservation });
  }

  get(name: string, kind?: InstanceKind): SharedInstance {
    return this.#shared(this.instance(name, kind));
  }

  /** Rejects another instance with the same name. */
  sameInstance(name: string, serial: number): Instance {
    const instance = this.instance(name);
    if (instance.serial !== serial) throw notFound(name, instance.kind);
    return instance;
  }

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
      message: `Instance ${name} already exists`,
      details: { field, instance: name },
    });
  }
}

const fieldOf = ({ kind }: { readonly kind: InstanceKind }): string =>
  kind === 'manifest' ? 'name' : 'instance';

const isIdle = (state: InstanceState): boolean => state === 'loaded' || state === 'stopped';

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
        message: `No such simulation: ${name}`,
        details: { field: 'name', instance: name },
      })
    : new BusbarError('instance_not_found', {
        message: `No such instance: ${name}`,
        details: { instance: name },
      });
