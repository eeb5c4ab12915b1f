// Writes down what V8 makes of the daemon's programs, so that a start has little to compile. A daemon is
// started for it: what it calls until it serves is compiled then, and nothing else, which would only
// take memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { loadSource } from './load-source.mjs';

/** Those that run from the start, and those that are started when they are needed. */
const standing = ['bench', 'client', 'loader'];
const onDemand = ['recorder', 'builder'];
export const programs = [...standing, ...onDemand];

const writer = resolve(import.meta.dirname, 'code-writer.cjs');
const codeFile = (folder, name) => join(folder, `${name}.code`);

const isWritten = async (file) => (await stat(file)).size > 0;

/** A daemon that serves over HTTP, and ends when its code is written. */
const compileStanding = async (folder, directory) => {
  const { engineFlags } = await loadSource('src/link/engine-flags.ts');
  const { locateHome } = await loadSource('src/link/home.ts');
  const { Connection } = await loadSource('src/link/connection.ts');
  const { SystemClock } = await loadSource('src/base/clock/system-clock.ts');
  const env = {
    PATH: process.env.PATH,
    BUSBAR_HOME: join(directory, 'home'),
    XDG_CONFIG_HOME: join(directory, 'config'),
    NODE_OPTIONS: `--require ${JSON.stringify(writer)}`,
  };
  const daemon = spawn(
    process.execPath,
    [...engineFlags, join(folder, 'daemon.cjs'), '--foreground'],
    { cwd: directory, env, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const ended = once(daemon, 'exit');
  for await (const line of createInterface(daemon.stdio[3])) {
    const said = JSON.parse(line);
    if (said.error) throw new Error(said.error.message);
    if (said.ready) break;
  }
  const { socket } = locateHome(env);
  const link = await Connection.open({ socket, version: 'build', clock: new SystemClock() });
  const { listen } = await link.call('web.start', { listen: '127.0.0.1:0' }, directory);
  await link.call('channel.open', { channel: 'SIM00001/0' }, directory);
  await (await fetch(`http://${listen}/api/v1/channels`)).text();
  link.close();
  daemon.kill('SIGUSR2');
  while (
    !(await Promise.all(standing.map((name) => isWritten(codeFile(folder, name))))).every(Boolean)
  ) {
    if (daemon.exitCode !== null) throw new Error('The daemon ended before its code was written');
    await pause(10);
  }
  daemon.kill('SIGTERM');
  await ended;
};

/** What loading it calls: it does nothing outside a thread. */
const compileOnDemand = async (folder, name) => {
  const { sharedFlags } = await loadSource('src/link/engine-flags.ts');
  const flags = [...sharedFlags, '--no-flush-bytecode', '--require', writer];
  const child = spawn(process.execPath, [...flags, join(folder, 'thread.cjs'), name], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} was not compiled`);
};

export const compilePrograms = async (folder) => {
  for (const name of programs) await writeFile(codeFile(folder, name), '');
  const directory = await mkdtemp(join(tmpdir(), 'busbar-build-'));
  try {
    await compileStanding(folder, directory);
    for (const name of onDemand) await compileOnDemand(folder, name);
  } finally {
    await rm(directory, { recursive: true });
  }
};
