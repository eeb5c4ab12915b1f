import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import type { PluginPlan } from '../plan/plugin-plan.ts';
import { checkElf } from './elf-header.ts';
import type { Ffi } from './native-library.ts';
import { pluginFailed } from './plugin-failure.ts';

/** A library of a project, as it was read: what is probed is what is loaded, whatever becomes of the file. */
export interface OpenLibrary {
  /** As the project names it. */
  readonly library: string;
  /** A descriptor of this process, of memory that no other program has. */
  readonly fd: number;
  /** The same for the same content only. */
  readonly identity: string;
}

const mostBytes = 64 * 1024 * 1024;
const closeOnExec = 1;
const folder = 'plugins';

/** Anonymous memory with the bytes, as a file that can be loaded. */
const memoryFile = (ffi: Ffi, name: string, bytes: Uint8Array): number => {
  const system = ffi.load(null);
  const create = system.func('int memfd_create(const char *name, unsigned int flags)');
  const made: number = create(name.slice(-200), closeOnExec);
  if (made < 0)
    throw new BusbarError('internal_error', { message: 'There is no memory for plugins' });
  try {
    // Node knows descriptors that it has opened: it warns when others are closed, and closes these with their thread.
    const fd = openSync(`/proc/self/fd/${made}`, 'r+');
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    return fd;
  } finally {
    system.func('int close(int fd)')(made);
  }
};

const refused = ({ id, library }: PluginPlan, thrown: unknown): BusbarError => {
  const error = BusbarError.from(thrown);
  if (error.code === 'file_not_found') {
    return pluginFailed(id, 'missing_file', `${library} is not there`, thrown);
  }
  if (error.code === 'path_outside_project') {
    return new BusbarError('path_outside_project', {
      message: `${id}: ${library} leads outside of ${folder}/`,
      details: { field: 'plugins', plugin: id, path: library },
      cause: thrown,
    });
  }
  if (error.code !== 'file_unavailable') return error;
  return pluginFailed(id, 'unavailable', `${library} cannot be read: ${error.message}`, thrown);
};

const openLibrary = (ffi: Ffi, root: ProjectRoot, plan: PluginPlan): OpenLibrary => {
  const { id, library } = plan;
  const { fd } = root.openForReading(library.slice(folder.length + 1));
  try {
    const { dev, ino, size, ctimeNs } = fstatSync(fd, { bigint: true });
    if (size > mostBytes) {
      throw pluginFailed(id, 'not_a_library', `${library} is larger than 64 MiB`);
    }
    const bytes = readFileSync(fd);
    checkElf(bytes, plan);
    const identity = [dev, ino, size, ctimeNs].join(':');
    return { library, fd: memoryFile(ffi, library, bytes), identity };
  } finally {
    closeSync(fd);
  }
};

/** Reads the libraries of a project, each once. They lie below `plugins`, beside the project, wherever links lead. */
export const openLibraries = (
  ffi: Ffi,
  projectRoot: string,
  file: string,
  plans: readonly PluginPlan[],
): OpenLibrary[] => {
  const opened = new Map<string, OpenLibrary>();
  const whole = ProjectRoot.open(projectRoot);
  let root: ProjectRoot | undefined;
  try {
    for (const plan of plans) {
      if (opened.has(plan.library)) continue;
      try {
        root ??= whole.subRoot(join(dirname(file), folder));
        opened.set(plan.library, openLibrary(ffi, root, plan));
      } catch (thrown) {
        throw refused(plan, thrown);
      }
    }
    return [...opened.values()];
  } catch (thrown) {
    closeLibraries([...opened.values()]);
    throw thrown;
  } finally {
    root?.close();
    whole.close();
  }
};

export const closeLibraries = (libraries: readonly OpenLibrary[]): void => {
  for (const { fd } of libraries) closeSync(fd);
};
