import { SystemClock } from '../../base/clock/system-clock.ts';
import { type Port, RpcPort } from '../../base/threads/rpc-port.ts';
import { projectBuilder } from '../../gateway/build/project-builder.ts';
import { ConfinedFiles } from '../../gateway/files/project-files.ts';
import { takeNiceness } from '../threads/priorities.ts';
import type { BuilderThreadData } from './thread-contracts.ts';

export const runBuilderThread = (port: Port, { projectRoot }: BuilderThreadData): void => {
  takeNiceness('builder');
  const offer = projectBuilder(new ConfinedFiles(projectRoot), new SystemClock());
  new RpcPort(port, offer, (thrown) => console.error(thrown));
};
