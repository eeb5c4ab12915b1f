import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { pause } from '../base/clock/pause.ts';
import { SystemClock } from '../base/clock/system-clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { makeDirectories } from '../base/files/make-directories.ts';
import { Connection } from '../link/connection.ts';
import { engineFlags, lateFlags } from '../link/engine-flags.ts';
import { locateHome } from '../link/home.ts';
import { starterFd } from '../link/start-report.ts';
import { distribution } from './program.ts';

// Stores the code that V8 compiles for the CLI and the daemon, so startup compiles little:
// `compile.cjs <folder>`. The build runs it, and so does the first startup of an installation
// without cached code. It starts a daemon, and stores only the functions called during its
// startup. More would only take memory.

const standing = ['bench', 'client', 'loader'];
const onDemand = ['recorder', 'builder', 'decoder'];

const writer = join(distribution, 'code-writer.cjs');
const clock = new SystemClock();

const failure = (message: string): BusbarError => new BusbarError('internal_error', { message });

/** Starts a daemon that serves HTTP and exits when its code is written. */
const compileStanding = async (folder: string, directory: string): Promise<void> => {
  const env = {
    PATH: process.env.PATH,
    BUSBAR_HOME: join(directory, 'home'),
    BUSBAR_CODE_FOLDER: folder,
    XDG_CONFIG_HOME: join(directory, 'config'),
    NODE_OPTIONS: `--require ${JSON.stringify(writer)}`,
  };
  mkdirSync(env.BUSBAR_HOME, { mode: 0o700 });
  const daemon = spawn(
    process.execPath,
    [...engineFlags, join(distribution, 'daemon.cjs'), '--foreground'],
    { cwd: directory, env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const ended = once(daemon, 'exit');
  try {
    for await (const line of createInterface(daemon.stdio[starterFd] as Readable)) {
      const said = JSON.parse(line);
      if (said.error) throw BusbarError.fromRecord(said.error);
      if (said.ready) break;
    }
    const { socket } = locateHome(env);
    const link = await Connection.open({ socket, version: 'build', clock });
    if (!link) throw failure('The daemon does not respond');
    const web = await link.call('web.start', { listen: '127.0.0.1:0' }, directory);
    await link.call('channel.open', { channel: 'SIM00001/0' }, directory);
    await (await fetch(`http://${(web as { listen: string }).listen}/api/v1/channels`)).text();
    link.close();
    daemon.kill('SIGUSR2');
    while (!standing.every((name) => existsSync(join(folder, `${name}.code`)))) {
      if (daemon.exitCode !== null) throw failure('The daemon exited before its code was written');
      if (!existsSync(folder)) throw failure('The code directory was removed');
      await pause(clock, 10);
    }
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
};

/** Loading runs nothing outside a thread. */
const compileOnDemand = async (folder: string, name: string): Promise<void> => {
  const flags = [...lateFlags, '--require', writer];
  const child = spawn(process.execPath, [...flags, join(distribution, 'thread.cjs'), name], {
    env: { PATH: process.env.PATH, BUSBAR_CODE_FOLDER: folder },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw failure(`${name} was not compiled`);
};

const compileCli = (folder: string): void => {
  setFlagsFromString('--no-lazy');
  const filename = join(distribution, 'cli.cjs');
  const script = new Script(readFileSync(filename, 'utf8'), { filename });
  // Code is valid only with the flags it was written with.
  setFlagsFromString('--lazy');
  writeFileSync(join(folder, 'cli.code'), script.createCachedData());
};

const keptFolders = 3;

const forgetOldest = (folder: string): void => {
  const beside = readdirSync(dirname(folder))
    .filter((name) => /^[0-9a-f]{24}-\d/.test(name))
    .map((name) => join(dirname(folder), name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const old of beside.slice(keptFolders)) rmSync(old, { recursive: true, force: true });
};

const compileAll = async (folder: string): Promise<void> => {
  makeDirectories(dirname(folder), 0o700);
  const aside = mkdtempSync(`${folder}.part-`);
  const directory = mkdtempSync(join(tmpdir(), 'busbar-compile-'));
  try {
    compileCli(aside);
    await compileStanding(aside, directory);
    for (const name of onDemand) await compileOnDemand(aside, name);
    if (!existsSync(folder)) renameSync(aside, folder);
    forgetOldest(folder);
  } finally {
    rmSync(directory, { recursive: true });
    rmSync(aside, { recursive: true, force: true });
  }
};

compileAll(process.argv[2] ?? '').catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
