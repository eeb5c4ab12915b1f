import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { LastError } from '../../transmit/record-fields.ts';
import { StateWriter } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { checkInstanceName, type InstanceKind, reservedNames } from '../project/instance-name.ts';
import type { TaskError } from '../values/task-error.ts';
import { budgetExceeded, instanceLimits, tooManyInstances } from './budget.ts';
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

/** What is known of a project before its instance is there. */
interface Reservation {
  readonly kind: InstanceKind;
  name: string | null;
  /** Id of the project, or else of the bench. */
  projectId: string | null;
  chargedBytes: number;
}

/** An instance on the thread that runs it. */
export interface Instance extends Omit<SharedInstance, 'endpoints'> {
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
  #nextReservation = 1;
  readonly #unixUs: () => number;

  constructor(unixUs: () => number = () => 0) {
    this.#unixUs = unixUs;
  }

  /** What all instances are charged, those included that are being loaded. */
  get chargedBytes(): number {
    let sum = 0;
    for (const { chargedBytes } of this.#instances.values()) sum += chargedBytes;
    for (const { chargedBytes } of this.#reservations.values()) sum += chargedBytes;
    return sum;
  }

  instances(kind: InstanceKind = 'project'): readonly SharedInstance[] {
    return [...this.#instances.values()].filter((instance) => instance.kind === kind).map(shared);
  }

  /** Keeps a place, and a name if it is known by now. The number stands for it until the load is over. */
  reserve(name: string | null, kind: InstanceKind = 'project'): number {
    const taken = this.#instances.size + this.#reservations.size;
    if (taken >= instanceLimits.instances) {
      // A name that is taken will not become free by waiting for a place.
      if (name !== null) this.#checkFree(name);
      throw tooManyInstances();
    }
    if (name !== null) this.#checkFree(name);
    const number = this.#nextReservation++;
    this.#reservations.set(number, { kind, name, projectId: null, chargedBytes: 0 });
    return number;
  }

  /** Notes the id of the project of a reservation, which names it if nothing else does. */
  identify(number: number, projectId: string | null): void {
    const reservation = this.#reservation(number);
    reservation.projectId = projectId;
    if (reservation.name !== null) return;
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
    this.#checkFree(projectId, fieldOf(reservation));
    reservation.name = projectId;
  }

  /** Charges a reservation so much in all. */
  charge(number: number, bytes: number): void {
    const reservation = this.#reservation(number);
    const others = this.chargedBytes - reservation.chargedBytes;
    if (others + bytes > instanceLimits.budgetBytes) throw budgetExceeded(bytes, others);
    reservation.chargedBytes = bytes;
  }

  /** Makes an instance of a reservation. */
  commit(number: number, file: string, image: ProjectImage): SharedInstance {
    const { kind, name, projectId, chargedBytes } = this.#redeem(number);
    const writer = new StateWriter(image);
    const instance: Instance = {
      kind,
      name,
      serial: number,
      projectId: projectId ?? image.projectId,
      file,
      loadedAtUs: this.#unixUs(),
      state: 'loaded',
      chargedBytes,
      image,
      writer,
      body: null,
      endedBy: null,
    };
    this.#instances.set(name, instance);
    return shared(instance);
  }

  /** Gives back what a load that failed had reserved. */
  release(number: number): void {
    this.#reservations.delete(number);
  }

  /** The thread that loaded has died: none of its loads will come to an end. */
  releaseAll(): void {
    this.#reservations.clear();
  }

  get(name: string, kind?: InstanceKind): SharedInstance {
    return shared(this.instance(name, kind));
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
    return shared(instance);
  }

  /** Ends a reservation that has its name, and says what it was for. */
  #redeem(number: number): Reservation & { readonly name: string } {
    const { name, ...known } = this.#reservation(number);
    if (name === null) throw new BusbarError('internal_error');
    this.#reservations.delete(number);
    return { name, ...known };
  }

  #reservation(number: number): Reservation {
    const reservation = this.#reservations.get(number);
    if (!reservation) throw new BusbarError('internal_error');
    return reservation;
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

const shared = (instance: Instance): SharedInstance => {
  const { writer: _, body, ...known } = instance;
  return { ...known, endpoints: body?.endpoints() ?? [] };
};

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
