import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { makeDirectories } from '../base/files/make-directories.ts';

export interface Home {
  readonly directory: string;
  readonly socket: string;
  readonly lock: string;
  readonly record: string;
  readonly log: string;
  readonly webState: string;
  readonly pluginCalls: string;
  readonly pluginLibraries: string;
}

/** `sun_path` has 108 bytes including NUL (unix(7)). */
const maxSocketPathLength = 107;

const defaultDirectory = (env: NodeJS.ProcessEnv): string => {
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime) return join(runtime, 'busbar');
  return join(tmpdir(), `busbar-${process.getuid?.() ?? 'user'}`);
};

const absolute = (path: string): string => {
  try {
    return resolve(path);
  } catch (cause) {
    throw new BusbarError('daemon_unreachable', {
      message: `BUSBAR_HOME is a relative path, but the current directory no longer exists: ${path}`,
      details: { home: path },
      cause,
    });
  }
};

export const locateHome = (env: NodeJS.ProcessEnv): Home => {
  const directory = absolute(env.BUSBAR_HOME || defaultDirectory(env));
  return {
    directory,
    socket: join(directory, 'busbar.sock'),
    lock: join(directory, 'daemon.lock'),
    record: join(directory, 'daemon.json'),
    log: join(directory, 'daemon.log'),
    webState: join(directory, 'web.json'),
    pluginCalls: join(directory, 'plugin-calls'),
    pluginLibraries: join(directory, 'plugin-libraries'),
  };
};

const isOwnFile = (home: Home, name: string): boolean =>
  Object.values(home).includes(join(home.directory, name));

const isOurs = ({ uid }: Stats): boolean => !process.getuid || uid === process.getuid();

const refuse = (home: Home, message: string, cause?: unknown): never => {
  throw new BusbarError('daemon_start_failed', {
    message,
    details: { home: home.directory },
    cause,
  });
};

/**
 * Creates the directory, or verifies that it is private: a user with write access could
 * impersonate the daemon.
 */
export const prepareHome = (home: Home): void => {
  if (Buffer.byteLength(home.socket) > maxSocketPathLength) {
    refuse(home, `The path of BUSBAR_HOME is too long for a socket: ${home.directory}`);
  }
  try {
    makeDirectories(home.directory, 0o700);
  } catch (error) {
    refuse(home, `Cannot create BUSBAR_HOME: ${home.directory}`, error);
  }
  const facts = lstatSync(home.directory);
  if (!facts.isDirectory()) refuse(home, `BUSBAR_HOME is not a directory: ${home.directory}`);
  if (!isOurs(facts)) refuse(home, `BUSBAR_HOME belongs to another user: ${home.directory}`);
  if ((facts.mode & 0o077) === 0) return;
  // Restricting a directory with other files would affect other programs.
  const foreign = readdirSync(home.directory).find((name) => !isOwnFile(home, name));
  if (foreign) refuse(home, `BUSBAR_HOME contains other files: ${join(home.directory, foreign)}`);
  chmodSync(home.directory, 0o700);
};

/** Rejects a directory in which other users could have created a socket. */
export const assertTrustedHome = (home: Home): void => {
  const facts = lstatSync(home.directory);
  if (facts.isDirectory() && isOurs(facts) && (facts.mode & 0o022) === 0) return;
  throw new BusbarError('daemon_unreachable', {
    message: `BUSBAR_HOME is accessible to other users: ${home.directory}`,
    details: { home: home.directory },
  });
};
