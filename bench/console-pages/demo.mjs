// Runs the demo in a separate folder.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { busbar, environment } from '../daemon.mjs';

export const startDemo = async (folder) => {
  const child = spawn(process.execPath, [busbar, 'demo', '--port=0'], {
    env: { ...environment, BUSBAR_HOME: join(folder, 'home') },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /^Console\s+(\S+)/.exec(line) ?? [];
      if (address) found(address);
    });
    child.once('exit', (code) => failed(new Error(`The demonstration ended with ${code}`)));
  });
  const stop = async () => {
    const ended = new Promise((done) => {
      child.once('exit', done);
    });
    child.kill('SIGINT');
    await ended;
  };
  return { url, stop };
};
