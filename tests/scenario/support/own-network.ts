import { spawn } from 'node:child_process';
import { busbar, type Workbench } from '../../support/workbench.ts';

const script = 'ip link set lo up && exec "$@"';

/**
 * Starts a bench's daemon in a separate network namespace, where every port is free. The CLI
 * reaches it as usual. False if the system does not permit it.
 */
export const startDaemonInOwnNetwork = (bench: Workbench): Promise<boolean> => {
  const command = [process.execPath, busbar, 'daemon', 'start'];
  const child = spawn(
    'unshare',
    ['--map-root-user', '--net', 'sh', '-c', script, 'sh', ...command],
    { cwd: bench.project, env: bench.environment, stdio: 'ignore' },
  );
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
};
