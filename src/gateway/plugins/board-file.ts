import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { boardBytes, CallBoard, type PluginCall } from './call-board.ts';
import type { Ffi } from './native-library.ts';

const readAndWrite = 1 | 2;
const shared = 1;

/** The board in a file, made if it is not there. Each thread maps it by itself. */
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

/** Tells of the plugin in whose call an earlier daemon ended: a crash takes the whole process down. */
export const reportCrash = (file: string, onCrash: (call: PluginCall) => void): void => {
  const crash = takeCrash(file);
  if (crash) onCrash(crash);
};

/** The plugin in whose call an earlier daemon ended, if any; what it left is removed. */
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
