import { niceThisThread } from '../../base/native/this-thread.ts';
import { CallPort, type Port } from '../../base/threads/call-port.ts';
import type { BuilderHostOffer } from '../../gateway/build/builder-contract.ts';
import { projectBuilder } from '../../gateway/build/project-builder.ts';
import { ConfinedFiles } from '../../gateway/files/confined-files.ts';
import type { BuilderThreadData } from './thread-contracts.ts';

/** Clients that wait for other things come first. */
const builderNiceness = 10;

/** Builds one project and is ended then. */
export const runBuilderThread = (port: Port, { projectRoot }: BuilderThreadData): void => {
  niceThisThread(builderNiceness);
  const offer = projectBuilder(new ConfinedFiles(projectRoot), {
    opened: (bytes) => host.opened(bytes),
    validated: (rows, projectId) => host.validated(rows, projectId),
  });
  const host = new CallPort<BuilderHostOffer>(port, offer, (thrown) => console.error(thrown))
    .remote;
};
