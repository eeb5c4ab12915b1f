import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { SignalChange } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { InstanceRegistry, SharedInstance } from './instance-registry.ts';

/** What the thread that has the instances does for the one that answers clients. */
export type InstanceOffer<Caller> = {
  /** Keeps a place for an instance, and its name where it is known; null where it is not yet. */
  reserveInstance(name: string | null): number;
  /** Names a reserved instance after its project, or else after the bench of the caller. */
  nameInstance(reservation: number, projectId: string | null, caller: Caller): Promise<void>;
  chargeInstance(reservation: number, bytes: number): void;
  commitInstance(reservation: number, file: string, image: ProjectImage): SharedInstance;
  releaseInstance(reservation: number): void;
  instances(): readonly SharedInstance[];
  instance(name: string): SharedInstance;
  /** What all instances are charged together. */
  instanceBytes(): number;
  setSignal(instance: string, serial: number, change: SignalChange): void;
  unloadInstance(name: string): SharedInstance;
};

/** Offers a registry; `benchId` is what the bench of a caller calls its project. */
export const offerInstances = <Caller>(
  registry: InstanceRegistry,
  benchId: (caller: Caller) => Promise<string | null>,
): InstanceOffer<Caller> => ({
  reserveInstance: (name) => registry.reserve(name),
  nameInstance: async (reservation, projectId, caller) => {
    const name = projectId ?? (await benchId(caller));
    if (name === null) {
      throw invalidArgument(
        'instance',
        'instance is needed, because neither the project nor the bench has an id',
      );
    }
    registry.name(reservation, name);
  },
  chargeInstance: (reservation, bytes) => registry.charge(reservation, bytes),
  commitInstance: (reservation, file, image) => registry.commit(reservation, file, image),
  releaseInstance: (reservation) => registry.release(reservation),
  instances: () => registry.instances,
  instance: (name) => registry.get(name),
  instanceBytes: () => registry.chargedBytes,
  setSignal: (instance, serial, change) => registry.set(instance, serial, change),
  unloadInstance: (name) => registry.unload(name),
});
