import type { Verdict } from '../../base/threads/verdict.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { SignalChange } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { InstanceKind } from '../project/instance-name.ts';
import type { LoadTicket } from './budget.ts';
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
  /** Keeps a place for an instance, and its name unless it is null. */
  reserveInstance(name: string | null, kind?: InstanceKind): LoadTicket;
  /** An instance without a name gets the id of its project, or else of the caller's bench. */
  commitInstance(
    ticket: LoadTicket,
    file: string,
    image: ProjectImage,
    caller: Caller,
  ): Promise<SharedInstance>;
  releaseInstance(ticket: LoadTicket): void;
  instances(kind?: InstanceKind): readonly SharedInstance[];
  instance(name: string, kind?: InstanceKind): SharedInstance;
  startInstance(
    name: string,
    caller: Caller,
    verdict: Verdict,
    kind?: InstanceKind,
  ): Promise<SharedInstance>;
  stopInstance(name: string, kind?: InstanceKind): Promise<SharedInstance>;
  setSignal(instance: string, serial: number, change: SignalChange, verdict: Verdict): void;
  /** Switches a fault rule, by its row in the image. */
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
  commitInstance: async (ticket, file, image, caller) => {
    const projectId = image.projectId ?? (await benchOf(caller)()).project_id;
    return registry.commit(ticket, file, image, projectId);
  },
  releaseInstance: (ticket) => registry.release(ticket),
  instances: (kind) => registry.instances(kind),
  instance: (name, kind) => registry.get(name, kind),
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
