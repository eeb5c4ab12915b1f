import type { Verdict } from '../../base/threads/verdict.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { SignalChange } from '../image/image-state.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { InstanceKind } from '../project/instance-name.ts';
import type { LoadTicket } from './budget.ts';
import type { InstanceRegistry, SharedInstance } from './instance-registry.ts';

/** Calls that also reach a blocked thread: otherwise a reservation would never be released. */
export const lateInstanceCalls = [
  'releaseInstance',
] as const satisfies readonly (keyof InstanceRpc<never>)[];

/** Calls that wait while a plugin is created. */
export const patientInstanceCalls = [
  'startInstance',
] as const satisfies readonly (keyof InstanceRpc<never>)[];

export type InstanceRpc<Caller> = {
  reserveInstance(name: string | null, kind?: InstanceKind): LoadTicket;
  /** The default name is the id of the project, or else of the bench. */
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
  switchFault(instance: string, serial: number, place: number, enabled: boolean): void;
  unloadInstance(name: string, kind?: InstanceKind): SharedInstance;
};

export interface InstanceControl {
  start(name: string, bench: BenchSource, verdict: Verdict, kind?: InstanceKind): Promise<void>;
  stop(name: string, kind?: InstanceKind): Promise<void>;
  set(name: string, serial: number, change: SignalChange, verdict: Verdict): void;
  switchFault(name: string, serial: number, place: number, enabled: boolean): void;
  unload(name: string, kind?: InstanceKind): SharedInstance;
}

export const offerInstances = <Caller>(
  registry: InstanceRegistry,
  runs: InstanceControl,
  benchOf: (caller: Caller) => BenchSource,
): InstanceRpc<Caller> => ({
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
