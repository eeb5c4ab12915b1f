import { rmSync } from 'node:fs';
import type { Clock } from '../../base/clock/clock.ts';
import { pluginTable } from '../image/image-tables.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { StringPool } from '../memory/string-pool.ts';
import { keyInProcess } from './key-process.ts';
import { type LibrarySnapshot, type OpenLibrary, openLibraries } from './library-files.ts';
import { firstLibraryFd } from './probe-contract.ts';
import { killMarked, probeLibraries } from './probe-libraries.ts';

export const readPlugins = ({ plugins, strings }: ProjectImage): UsedPlugin[] => {
  const pool = new StringPool(strings);
  return Array.from(pluginTable.open(plugins).plugin, (text) =>
    JSON.parse(pool.at(text) ?? 'null'),
  );
};

interface PluginStartsOptions {
  readonly projectRoot: string;
  readonly program: string;
  readonly librariesFolder: string;
  readonly clock: Clock;
}

export interface TriedLibraries {
  readonly handle: number;
  readonly libraries: readonly OpenLibrary[];
}

export interface KeyRequest {
  readonly library: string;
  readonly entry: string;
  readonly level: number;
  readonly seed: Uint8Array;
}

export class PluginStarts {
  readonly #options: PluginStartsOptions;
  readonly #open = new Map<number, LibrarySnapshot>();
  readonly #ended = new AbortController();
  #nextHandle = 1;
  #isPrepared = false;

  constructor(options: PluginStartsOptions) {
    this.#options = options;
  }

  async open(file: string, image: ProjectImage): Promise<TriedLibraries> {
    this.#removeLeft();
    const { projectRoot, librariesFolder: directory } = this.#options;
    const { signal } = this.#ended;
    const usedPlugins = readPlugins(image);
    const { default: ffi } = await import('koffi');
    const options = { ffi, projectRoot, directory, firstFd: firstLibraryFd };
    const snapshot = openLibraries(options, file, usedPlugins);
    try {
      await probeLibraries(usedPlugins, snapshot, { ...this.#options, signal });
    } catch (thrown) {
      snapshot.close();
      throw thrown;
    }
    const handle = this.#nextHandle++;
    this.#open.set(handle, snapshot);
    return { handle, libraries: snapshot.libraries };
  }

  /** Computes a key with a library below `plugins`, next to the file that names it. */
  async computeKey(file: string, { library, entry, level, seed }: KeyRequest): Promise<Uint8Array> {
    this.#removeLeft();
    const { projectRoot, librariesFolder: directory } = this.#options;
    const { default: ffi } = await import('koffi');
    const options = { ffi, projectRoot, directory, firstFd: firstLibraryFd };
    const used = { id: 'seed_key', kind: 'processor', library, entry, context: '{}', uses: [] };
    const snapshot = openLibraries(options, file, [used as UsedPlugin]);
    const call = { library, entry, level, seed: Buffer.from(seed).toString('hex') };
    try {
      const { signal } = this.#ended;
      return await keyInProcess(call, snapshot, { ...this.#options, signal });
    } finally {
      snapshot.close();
    }
  }

  close(handle: number): void {
    this.#open.get(handle)?.close();
    this.#open.delete(handle);
  }

  end(): void {
    this.#ended.abort();
    for (const handle of this.#open.keys()) this.close(handle);
  }

  #removeLeft(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    const { librariesFolder } = this.#options;
    killMarked(librariesFolder);
    rmSync(librariesFolder, { recursive: true, force: true });
  }
}
