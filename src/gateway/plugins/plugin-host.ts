import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { versionTable } from '../image/image-tables.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { type CallBoard, openBoard } from './call-board.ts';
import { InstancePlugins, type LoadedPlugin } from './instance-plugins.ts';
import type { OpenLibrary } from './library-files.ts';
import type { CallMarker } from './native-instance.ts';
import { type Ffi, NativeLibrary, pluginFailed } from './native-library.ts';
import { readPlugins, type TriedLibraries } from './plugin-starts.ts';

export interface PluginHostOptions {
  readonly boardFile: string;
  readonly turns: Pick<YieldQueue, 'next'>;
  readonly open: (file: string, image: ProjectImage) => Promise<TriedLibraries>;
  readonly close: (handle: number) => void;
  readonly onLoaded?: (instance: string, plugins: readonly string[]) => void;
}

export interface PluginUser {
  readonly name: string;
  readonly file: string;
  readonly image: ProjectImage;
}

export interface HostedPlugins {
  readonly parts: InstancePlugins;
  release(): void;
}

/**
 * Records calls on the board and in the instance's state, so that its readers do not wait for them.
 */
const markerOf = (board: CallBoard, slot: number, image: ProjectImage): CallMarker => {
  const { inPlugin } = versionTable.open(image.state.version);
  return {
    enter() {
      Atomics.store(inPlugin, 0, 1);
      board.enter(slot);
    },
    leave() {
      board.leave();
      Atomics.store(inPlugin, 0, 0);
    },
  };
};

interface OpenedHost {
  readonly ffi: Ffi;
  readonly board: CallBoard;
}

const openHost = async (boardFile: string): Promise<OpenedHost> => {
  const { default: ffi } = await import('koffi');
  return { ffi, board: openBoard(ffi, boardFile) };
};

/**
 * Plugins of a thread. Loaded libraries stay until the daemon exits, because they may have
 * started threads. Equal content is loaded once; a changed file is another library.
 */
export class PluginHost {
  readonly #options: PluginHostOptions;
  readonly #libraries = new Map<string, NativeLibrary>();
  #opened: Promise<OpenedHost> | undefined;

  constructor(options: PluginHostOptions) {
    this.#options = options;
  }

  async load({ name, file, image }: PluginUser): Promise<HostedPlugins> {
    const { open, close } = this.#options;
    const { handle, libraries } = await open(file, image);
    try {
      return await this.#loadFrom(name, image, libraries);
    } finally {
      close(handle);
    }
  }

  async #loadFrom(
    instance: string,
    image: ProjectImage,
    libraries: readonly OpenLibrary[],
  ): Promise<HostedPlugins> {
    const { ffi, board } = await this.#open();
    const usedPlugins = readPlugins(image);
    const slots: number[] = [];
    const release = (): void => {
      for (const slot of slots) board.release(slot);
    };
    try {
      const plugins = new Map<string, LoadedPlugin>();
      for (const used of usedPlugins) {
        // Loading is one system call. Other deadlines are served before and after it.
        await this.#options.turns.next();
        const slot = board.claim({ instance, plugin: used.id });
        slots.push(slot);
        const marker = markerOf(board, slot, image);
        plugins.set(used.id, this.#load(ffi, used, libraries, marker));
      }
      this.#options.onLoaded?.(instance, [...plugins.keys()]);
      const parts = new InstancePlugins(ffi, plugins);
      return {
        parts,
        release() {
          parts.destroy();
          release();
        },
      };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** A failure, such as a full disk or too few descriptors, may not recur at the next start. */
  #open(): Promise<OpenedHost> {
    this.#opened ??= openHost(this.#options.boardFile).catch((thrown) => {
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }

  #load(
    ffi: Ffi,
    used: UsedPlugin,
    libraries: readonly OpenLibrary[],
    marker: CallMarker,
  ): LoadedPlugin {
    const opened = libraries.find(({ library }) => library === used.library);
    if (!opened) throw pluginFailed(used.id, 'unavailable', `${used.library} was not opened`);
    marker.enter();
    try {
      const library =
        this.#libraries.get(opened.identity) ?? new NativeLibrary(ffi, opened.path, used);
      this.#libraries.set(opened.identity, library);
      return { plugin: library.plugin(used), context: used.context, marker };
    } finally {
      marker.leave();
    }
  }
}
