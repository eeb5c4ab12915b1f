import type { ProjectImage } from '../image/project-image.ts';
import { checkInstanceName } from '../project/instance-name.ts';
import { chargeOf } from './budget.ts';
import type { SharedInstance } from './instance-registry.ts';

/** Registry of instances, as seen from a thread that loads them. */
export interface InstanceHost {
  reserve(name: string | null): Promise<number>;
  /** Says what project it is, or that the bench has to: that names a reservation without a name. */
  identify(reservation: number, projectId: string | null): Promise<void>;
  charge(reservation: number, bytes: number): Promise<void>;
  commit(reservation: number, file: string, image: ProjectImage): Promise<SharedInstance>;
  release(reservation: number): Promise<void>;
}

/** Told how far the build of a project has come; what they refuse ends it. */
export interface BuildSteps {
  /** The file was opened, and is not read yet. */
  opened(bytes: number): Promise<void>;
  /** The project makes sense, and no image of it was made yet. */
  validated(rows: number, projectId: string | null): Promise<void>;
}

interface LoadRequest {
  readonly file: string;
  readonly instance: string | null;
}

/** Loads a file into an instance. Whatever fails, nothing of it is left. */
export const loadInstance = async (
  { file, instance }: LoadRequest,
  host: InstanceHost,
  build: (file: string, steps: BuildSteps) => Promise<ProjectImage>,
): Promise<SharedInstance> => {
  if (instance !== null) checkInstanceName(instance);
  const reservation = await host.reserve(instance);
  try {
    let fileBytes = 0;
    const image = await build(file, {
      opened: (bytes) => {
        fileBytes = bytes;
        return host.charge(reservation, bytes);
      },
      validated: async (rows, projectId) => {
        if (instance === null || projectId === null) await host.identify(reservation, projectId);
        await host.charge(reservation, chargeOf(fileBytes, rows));
      },
    });
    return await host.commit(reservation, file, image);
  } catch (thrown) {
    await host.release(reservation);
    throw thrown;
  }
};
