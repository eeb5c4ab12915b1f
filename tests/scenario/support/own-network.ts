import { spawn } from 'node:child_process';
import { busbar, type Workbench } from '../../support/workbench.ts';

const script = 'ip link set lo up && exec "$@"';

/**
 * Starts a bench's daemon in a network of its own, where every port is free, whatever else runs on
 * this machine. The CLI reaches it from outside as ever. False where the system does not allow it.
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
