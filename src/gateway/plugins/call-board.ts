import { Buffer } from 'node:buffer';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Ffi } from './native-library.ts';

/**
 * The current plugin call, in a memory-mapped file: other threads read it, and after a crash it names the plugin.
 *
 *     | slot being called, 0 for none | number of calls | … | 255 names of 256 bytes: length, instance NUL plugin |
 */
const slots = 256;
const slotBytes = 256;
/** Slot of plugins without their own slot: their calls are recorded without a name. */
const unnamed = slots;

export const boardBytes = slots * slotBytes;

export interface PluginCall {
  readonly instance: string;
  readonly plugin: string;
}

export class CallBoard {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory: ArrayBufferLike) {
    this.#words = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory);
  }

  claim({ instance, plugin }: PluginCall): number {
    for (let slot = 1; slot < slots; slot++) {
      const at = slot * slotBytes;
      if (this.#bytes[at] !== 0) continue;
      const name = Buffer.from(`${instance}\0${plugin}`).subarray(0, slotBytes - 1);
      this.#bytes.set(name, at + 1);
      this.#bytes[at] = name.length;
      return slot;
    }
    return unnamed;
  }

  release(slot: number): void {
    if (slot !== unnamed) this.#bytes[slot * slotBytes] = 0;
  }

  enter(slot: number): void {
    const words = this.#words;
    Atomics.store(words, 1, ((words[1] as number) + 1) | 0);
    Atomics.store(words, 0, slot);
  }

  leave(): void {
    Atomics.store(this.#words, 0, 0);
  }

  get inside(): number {
    return Atomics.load(this.#words, 0);
  }

  get calls(): number {
    return Atomics.load(this.#words, 1);
  }

  nameOf(slot: number): PluginCall | null {
    const at = slot * slotBytes;
    const length = this.#bytes[at] as number;
    if (slot <= 0 || slot >= slots || length === 0) return null;
    // A copy, because other threads write to this memory.
    const name = Buffer.from(this.#bytes.slice(at + 1, at + 1 + length)).toString();
    const [instance = '', plugin = ''] = name.split('\0');
    return { instance, plugin };
  }
}

const readAndWrite = 1 | 2;
const shared = 1;

/** Opens the board in a file, which is created if missing. Each thread maps it separately. */
export const openBoard = (ffi: Ffi, file: string): CallBoard => {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    ftruncateSync(fd, boardBytes);
    const map = ffi
      .load(null)
      .func('void *mmap(void *at, size_t size, int protection, int flags, int fd, int64_t offset)');
    const address: bigint | null = map(null, boardBytes, readAndWrite, shared, fd, 0);
    if (address === null || BigInt.asIntN(64, address) === -1n) {
      throw new BusbarError('internal_error', { message: 'The board of plugins cannot be mapped' });
    }
    return new CallBoard(ffi.view(address, boardBytes));
  } finally {
    closeSync(fd);
  }
};

export const reportCrash = (file: string, onCrash: (call: PluginCall) => void): void => {
  const crash = takeCrash(file);
  if (crash) onCrash(crash);
};

/** Returns the plugin call in which an earlier daemon crashed, and clears the record. */
export const takeCrash = (file: string): PluginCall | null => {
  try {
    const left = new Uint8Array(readFileSync(file));
    rmSync(file);
    if (left.length < boardBytes) return null;
    const board = new CallBoard(left.buffer);
    return board.nameOf(board.inside);
  } catch {
    return null;
  }
};
