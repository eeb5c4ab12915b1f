import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { isRunning } from '../../src/link/daemon-record.ts';
import { hasEnded, stateOf } from '../scenario/support/processes.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';

const python = '/usr/bin/python3';

/** A process whose first thread has ended while another one lives, as in a killed process. */
const program = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(3600,)).start()
print('ready', flush=True)
ctypes.CDLL(None).pthread_exit(None)
`;

it.skipIf(!hasPeer(python, 'python3'))('runs until the last of its threads is dead', async () => {
  const child = spawn(python, ['-c', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? -1;
  try {
    await once(createInterface(child.stdout), 'line');
    await eventually(() => stateOf(pid) === 'Z');
    expect([isRunning(pid), hasEnded(pid)]).toEqual([true, false]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect([isRunning(pid), hasEnded(pid)]).toEqual([false, true]);
});
