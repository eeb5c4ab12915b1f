import type { Verdict } from '../../base/threads/verdict.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { SignalChange } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { InstanceKind } from '../project/instance-name.ts';
import type { InstanceRegistry, SharedInstance } from './instance-registry.ts';

/** Heard of also by a thread that answers late: a place that is not given back would never be free again. */
export const lateInstanceCalls = [
  'releaseInstance',
] as const satisfies readonly (keyof InstanceOffer<never>)[];

/**
 * Calls that wait as long as a plugin may take in a trial, while others are refused: a plugin may need as long to be
 * created again.
 */
export const patientInstanceCalls = [
  'startInstance',
] as const satisfies readonly (keyof InstanceOffer<never>)[];

/** What the thread that has the instances does for the one that answers clients. */
export type InstanceOffer<Caller> = {
  /** Keeps a place for an instance, and its name where it is known; null where it is not yet. */
  reserveInstance(name: string | null, kind?: InstanceKind): number;
  /** Gives a reserved instance the id of its project, or else of the caller's bench; its name too if it has none. */
  identifyInstance(reservation: number, projectId: string | null, caller: Caller): Promise<void>;
  chargeInstance(reservation: number, bytes: number): void;
  commitInstance(reservation: number, file: string, image: ProjectImage): SharedInstance;
  releaseInstance(reservation: number): void;
  instances(kind?: InstanceKind): readonly SharedInstance[];
  instance(name: string, kind?: InstanceKind): SharedInstance;
  /** What all instances are charged together. */
  instanceBytes(): number;
  startInstance(
    name: string,
    caller: Caller,
    verdict: Verdict,
    kind?: InstanceKind,
  ): Promise<SharedInstance>;
  stopInstance(name: string, kind?: InstanceKind): Promise<SharedInstance>;
  setSignal(instance: string, serial: number, change: SignalChange, verdict: Verdict): void;
  /** Switches a fault rule, by its place in the plan. */
  switchFault(instance: string, serial: number, place: number, enabled: boolean): void;
  unloadInstance(name: string, kind?: InstanceKind): SharedInstance;
};

/** What runs instances. */
export interface InstanceRuns {
  start(name: string, bench: BenchSource, verdict: Verdict, kind?: InstanceKind): Promise<void>;
  stop(name: string, kind?: InstanceKind): Promise<void>;
  set(name: string, serial: number, change: SignalChange, verdict: Verdict): void;
  switchFault(name: string, serial: number, place: number, enabled: boolean): void;
  unload(name: string, kind?: InstanceKind): SharedInstance;
}

/** Offers the instances of a registry; `benchOf` is the bench of a caller. */
export const offerInstances = <Caller>(
  registry: InstanceRegistry,
  runs: InstanceRuns,
  benchOf: (caller: Caller) => BenchSource,
): InstanceOffer<Caller> => ({
  reserveInstance: (name, kind) => registry.reserve(name, kind),
  identifyInstance: async (reservation, projectId, caller) => {
    registry.identify(reservation, projectId ?? (await benchOf(caller)()).project_id);
  },
  chargeInstance: (reservation, bytes) => registry.charge(reservation, bytes),
  commitInstance: (reservation, file, image) => registry.commit(reservation, file, image),
  releaseInstance: (reservation) => registry.release(reservation),
  instances: (kind) => registry.instances(kind),
  instance: (name, kind) => registry.get(name, kind),
  instanceBytes: () => registry.chargedBytes,
  startInstance: async (name, caller, verdict, kind) => {
    await runs.start(name, benchOf(caller), verdict, kind);
    return registry.get(name, kind);
  },
  stopInstance: async (name, kind) => {
    await runs.stop(name, kind);
    return registry.get(name, kind);
  },
  setSignal: (instance, serial, change, verdict) => runs.set(instance, serial, change, verdict),
  switchFault: (instance, serial, place, enabled) =>
    runs.switchFault(instance, serial, place, enabled),
  unloadInstance: (name, kind) => runs.unload(name, kind),
});
