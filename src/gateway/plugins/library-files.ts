import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import {
  canRename,
  type ElfDynamic,
  nameByHash,
  readDynamic,
  renameNeeded,
} from './elf-dynamic.ts';
import { type Ffi, pluginFailed } from './native-library.ts';

const magic = Buffer.from('\x7fELF', 'latin1');

const class64 = 2;

const littleEndian = 1;

const sharedObject = 3;

/** ELF machine numbers of the architectures that Node supports. */
const machines: Readonly<Record<string, number>> = {
  x64: 62,
  arm64: 183,
  riscv64: 243,
  loong64: 258,
  s390x: 22,
};

const nameOf = (machine: number): string =>
  Object.entries(machines).find(([, number]) => number === machine)?.[0] ?? `machine ${machine}`;

export const checkElf = (
  bytes: Uint8Array,
  { id, library }: { readonly id: string; readonly library: string },
  arch: string = process.arch,
): void => {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 20));
  if (header.length < 20 || !header.subarray(0, 4).equals(magic)) {
    throw pluginFailed(id, 'not_a_library', `${library} is no shared library`);
  }
  const is64 = header[4] === class64 && header[5] === littleEndian;
  const machine = header.readUInt16LE(18);
  if (!is64 || machine !== machines[arch]) {
    const words = `${library} is for ${is64 ? nameOf(machine) : 'machines of another word size'}, and this machine is ${arch}`;
    throw pluginFailed(id, 'wrong_architecture', words);
  }
  if (header.readUInt16LE(16) !== sharedObject) {
    throw pluginFailed(id, 'not_a_library', `${library} is a program, and no shared library`);
  }
};

export interface OpenLibrary {
  readonly library: string;
  readonly path: string;
  /** Equal for equal content of the file and of all needed libraries in the folder. */
  readonly identity: string;
}

const folder = 'plugins';
const mebibyte = 1024 * 1024;
const maxLibraryBytes = 64 * mebibyte;
export const snapshotLimits = { bytes: 128 * mebibyte, files: 256 } as const;

const closeOnExec = 1;

/**
 * Creates a loadable file in anonymous memory, which works even if the home directory is
 * mounted noexec.
 */
const memoryFile = (ffi: Ffi, name: string, bytes: Uint8Array): number => {
  const system = ffi.load(null);
  const create = system.func('int memfd_create(const char *name, unsigned int flags)');
  const made: number = create(name.slice(-200), closeOnExec);
  if (made < 0)
    throw new BusbarError('internal_error', { message: 'Not enough memory for plugins' });
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(made, bytes, at);
    // Node warns when a descriptor that it did not open is closed, and closes its own with
    // their thread.
    return openSync(`/proc/self/fd/${made}`, 'r');
  } finally {
    system.func('int close(int fd)')(made);
  }
};

const refused = ({ id, library }: UsedPlugin, path: string, thrown: unknown): BusbarError => {
  const error = BusbarError.from(thrown);
  if (error.details.plugin === id) return error;
  if (error.code === 'file_not_found') {
    return pluginFailed(id, 'missing_file', `${library} does not exist`, thrown);
  }
  if (error.code === 'path_outside_project') {
    return new BusbarError('path_outside_project', {
      message: `${id}: ${path} is outside ${folder}/`,
      details: { field: 'plugins', plugin: id, path },
      cause: thrown,
    });
  }
  if (error.code !== 'file_unavailable') return error;
  return pluginFailed(id, 'unavailable', `${library} cannot be read: ${error.message}`, thrown);
};

/** Returns whether the system's loader would skip the file and continue searching. */
const isPassedOver = (thrown: unknown): boolean =>
  ['file_not_found', 'file_unavailable'].includes(BusbarError.from(thrown).code);

interface SnapshotFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly dynamic: ElfDynamic;
  readonly digest: string;
  readonly places: Set<string>;
  readonly needs: Map<string, { readonly file: SnapshotFile; readonly directory: string }>;
}

/** Returns folders relative to the library. Other folders belong to the system. */
const foldersOf = (list: string | undefined, directory: string): string[] =>
  (list ?? '')
    .split(':')
    .map((entry) => /^\$(?:ORIGIN|\{ORIGIN\})(\/.*)?$/.exec(entry))
    .filter((match) => match !== null)
    .map(([, rest = '']) => posix.join(directory, rest))
    .filter((path) => path !== '..' && !path.startsWith('../'));

/** Reads libraries below `plugins`, and the libraries they need there, each once. */
class FolderReader {
  readonly files = new Map<string, SnapshotFile>();
  readonly #root: ProjectRoot;
  #bytes = 0;

  constructor(root: ProjectRoot) {
    this.#root = root;
  }

  library(used: UsedPlugin, place: string): SnapshotFile {
    const { file, isNew } = this.#read(used, place);
    checkElf(file.bytes, used);
    file.places.add(place);
    if (isNew) this.#findNeeded(used, file, posix.dirname(place), []);
    return file;
  }

  /**
   * Searches like the system's loader: in RUNPATH, or else in the RPATH of this library and its
   * users.
   */
  #findNeeded(
    used: UsedPlugin,
    { dynamic, needs }: SnapshotFile,
    directory: string,
    inherited: readonly string[],
  ): void {
    const { needed, rpath, runpath } = dynamic;
    const handedOn =
      runpath === undefined ? [...foldersOf(rpath, directory), ...inherited] : inherited;
    const searched = runpath === undefined ? handedOn : foldersOf(runpath, directory);
    for (const name of needed) {
      if (name.includes('/')) continue;
      for (const found of searched) {
        const place = posix.join(found, name);
        const read = this.#tryRead(used, place);
        if (!read) continue;
        needs.set(name, { file: read.file, directory: found });
        if (read.isNew) this.#findNeeded(used, read.file, found, handedOn);
        break;
      }
    }
  }

  #tryRead(used: UsedPlugin, place: string) {
    try {
      return this.#read(used, place);
    } catch (thrown) {
      if (isPassedOver(thrown)) return undefined;
      throw refused(used, `${folder}/${place}`, thrown);
    }
  }

  #read({ id }: UsedPlugin, place: string): { file: SnapshotFile; isNew: boolean } {
    const { fd, path } = this.#root.openForReading(place);
    try {
      const known = this.files.get(path);
      if (known) return { file: known, isNew: false };
      const { size } = fstatSync(fd);
      this.#charge(id, place, size);
      const bytes = readFileSync(fd);
      const digest = createHash('sha256').update(`${path}\0`).update(bytes).digest('hex');
      const dynamic = readDynamic(bytes);
      const places = new Set<string>();
      const file = { name: place, bytes, dynamic, digest, places, needs: new Map() };
      this.files.set(path, file);
      return { file, isNew: true };
    } finally {
      closeSync(fd);
    }
  }

  #charge(id: string, place: string, size: number): void {
    const { bytes, files } = snapshotLimits;
    if (size > maxLibraryBytes) {
      throw pluginFailed(id, 'too_large', `${folder}/${place} is larger than 64 MiB`);
    }
    this.#bytes += size;
    if (this.#bytes > bytes || this.files.size >= files) {
      const limit = `${files} files of ${bytes / mebibyte} MiB together`;
      throw pluginFailed(id, 'too_large', `the libraries of the project are more than ${limit}`);
    }
  }
}

const hashOf = (file: SnapshotFile): Buffer => {
  const reached = new Set([file]);
  for (const each of reached)
    for (const { file: needed } of each.needs.values()) reached.add(needed);
  const digests = Array.from(reached, ({ digest }) => digest).toSorted();
  return createHash('sha256')
    .update([file.digest, ...digests].join())
    .digest();
};

/**
 * Renames needed libraries by content. The system's loader reuses a loaded library of the same
 * name, even another build of it.
 */
const renameByContent = (files: Iterable<SnapshotFile>): void => {
  for (const { bytes, dynamic, needs } of files) {
    for (const [name, { file, directory }] of needs) {
      const isOwn = canRename(bytes, dynamic, name);
      const unique = isOwn ? nameByHash(name, hashOf(file)) : name;
      renameNeeded(bytes, dynamic, name, unique);
      file.places.add(posix.join(directory, unique));
    }
  }
};

/** Libraries of a project as read. The tested content is loaded, even if the files change. */
export interface LibrarySnapshot {
  readonly libraries: readonly OpenLibrary[];
  readonly trialLibraries: readonly OpenLibrary[];
  readonly fds: readonly number[];
  /** A path that is never reused. */
  readonly directory: string;
  close(): void;
}

export interface SnapshotOptions {
  readonly ffi: Ffi;
  readonly projectRoot: string;
  readonly directory: string;
  readonly firstFd: number;
}

const linkFiles = (
  directory: string,
  files: readonly SnapshotFile[],
  fdOf: (index: number) => number,
): void => {
  for (const [index, { places }] of files.entries()) {
    for (const place of places) {
      const path = join(directory, place);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      symlinkSync(`/proc/self/fd/${fdOf(index)}`, path);
    }
  }
};

const readLibraries = (projectRoot: string, file: string, usedPlugins: readonly UsedPlugin[]) => {
  const named = new Map<string, { readonly file: SnapshotFile; readonly place: string }>();
  const whole = ProjectRoot.open(projectRoot);
  let root: ProjectRoot | undefined;
  let reader: FolderReader | undefined;
  try {
    for (const used of usedPlugins) {
      const { library } = used;
      if (named.has(library)) continue;
      try {
        root ??= whole.subRoot(join(dirname(file), folder));
        reader ??= new FolderReader(root);
        const place = posix.normalize(library.slice(folder.length + 1));
        named.set(library, { file: reader.library(used, place), place });
      } catch (thrown) {
        throw refused(used, library, thrown);
      }
    }
    return { named, files: [...(reader?.files.values() ?? [])] };
  } finally {
    root?.close();
    whole.close();
  }
};

/**
 * Reads the libraries of a project, and libraries that they need relative to themselves. All must be below `plugins`
 * next to the project, after following links.
 *
 *     <directory>/load/filter.so       → /proc/self/fd/31
 *     <directory>/load/a8x02kd9f1so    → /proc/self/fd/32    libhelper.so, needed by filter.so
 *     <directory>/trial/…              → the same paths for the probe process
 */
export const openLibraries = (
  { ffi, projectRoot, directory: parent, firstFd }: SnapshotOptions,
  file: string,
  usedPlugins: readonly UsedPlugin[],
): LibrarySnapshot => {
  const { named, files } = readLibraries(projectRoot, file, usedPlugins);
  const identities = new Map(files.map((each) => [each, hashOf(each).toString('hex')]));
  renameByContent(files);
  const directory = join(parent, randomUUID());
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
    rmSync(directory, { recursive: true, force: true });
  };
  const inside = (name: string): OpenLibrary[] =>
    Array.from(named, ([library, { file: its, place }]) => ({
      library,
      path: join(directory, name, place),
      identity: identities.get(its) ?? '',
    }));
  try {
    for (const { name, bytes } of files) fds.push(memoryFile(ffi, name, bytes));
    linkFiles(join(directory, 'load'), files, (index) => fds[index] as number);
    linkFiles(join(directory, 'trial'), files, (index) => firstFd + index);
    const [libraries, trialLibraries] = [inside('load'), inside('trial')];
    return { libraries, trialLibraries, fds, directory, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
};
