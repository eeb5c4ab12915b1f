import { SystemClock } from '../../base/clock/system-clock.ts';
import { CallPort, type Port } from '../../base/threads/call-port.ts';
import type { BuilderHostOffer } from '../../gateway/build/builder-contract.ts';
import { projectBuilder } from '../../gateway/build/project-builder.ts';
import { ConfinedFiles } from '../../gateway/files/project-files.ts';
import type { BuildSteps } from '../../gateway/instances/instance-loads.ts';
import { takeNiceness } from '../threads/priorities.ts';
import type { BuilderThreadData } from './thread-contracts.ts';

/** Builds one project and is ended then. */
export const runBuilderThread = (port: Port, { projectRoot }: BuilderThreadData): void => {
  takeNiceness('builder');
  const steps: BuildSteps = {
    opened: (bytes) => host.opened(bytes),
    validated: (rows, projectId) => host.validated(rows, projectId),
  };
  const offer = projectBuilder(new ConfinedFiles(projectRoot), steps, new SystemClock());
  const host = new CallPort<BuilderHostOffer>(port, offer, (thrown) => console.error(thrown))
    .remote;
};
