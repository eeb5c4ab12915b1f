import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../src/link/daemon-record.ts';

/** Names the folder of the daemons shared by tests of a run; without it they are not shared. */
export const seatRootVariable = 'BUSBAR_TEST_SEATS';

const endDaemonIn = async (seat: string): Promise<void> => {
  let pid: number;
  try {
    pid = JSON.parse(readFileSync(join(seat, 'home', 'daemon.json'), 'utf8')).pid;
    process.kill(pid, 'SIGTERM');
  } catch {
    return;
  }
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Workers may be killed at the end of a run: the daemons that they leave end here. */
export default (): (() => Promise<void>) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-seats-')));
  process.env[seatRootVariable] = root;
  return async () => {
    await Promise.all(readdirSync(root).map((name) => endDaemonIn(join(root, name))));
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
};
